//! Where the built-in scenes start: their scenarios as text, apart from their words, which not everyone shows.

/// The first scene's, which the page has from the beginning.
pub const ORDERS: &str = include_str!("../../../public/scenes/orders.json");

/// The scenario of a scene; that of the first for a slug that is none.
pub fn source(slug: &str) -> &'static str {
    match slug {
        "hot-key" => include_str!("../../../public/scenes/hot-key.json"),
        "buckets" => include_str!("../../../public/scenes/buckets.json"),
        "warm-keys" => include_str!("../../../public/scenes/warm-keys.json"),
        "saved-burst" => include_str!("../../../public/scenes/saved-burst.json"),
        "first-wave" => include_str!("../../../public/scenes/first-wave.json"),
        "big-tenant" => include_str!("../../../public/scenes/big-tenant.json"),
        "todays-date" => include_str!("../../../public/scenes/todays-date.json"),
        "outbox" => include_str!("../../../public/scenes/outbox.json"),
        "late-index" => include_str!("../../../public/scenes/late-index.json"),
        "late-scaling" => include_str!("../../../public/scenes/late-scaling.json"),
        "front-page" => include_str!("../../../public/scenes/front-page.json"),
        _ => ORDERS,
    }
}
