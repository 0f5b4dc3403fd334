//! Share: a link that holds the whole state, a file that does, and snippets that embed the scene.

use crate::playground::Playground;
use crate::scene::Scene;
use crate::share::{self, LONG_LINK, LONGEST_LINK, SharedState};
use crate::shell::show_state;
use crate::ui::patch::{Deed, drawn, fill};
use crate::ui::watched::Watched;
use crate::{clipboard, place, text};
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::cell::Cell;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Element, HtmlDialogElement, HtmlInputElement};

/// What the dialog shows.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Link {
    Packing,
    Ready { address: String, copied: bool },
    TooLong(usize),
    Unavailable,
}

/// The dialog. It opens, and packs a link, each time the number goes up.
pub fn dialog(playground: Playground, asked: &'static Watched<u32>) -> AnyView {
    let sharing = Sharing { playground, link: RwSignal::new(Link::Packing) };
    let answered = Cell::new(0);
    let draw = move |element: &Element| {
        let now = asked.get_untracked();
        let dialog = element.first_element_child().and_then(|child| child.dyn_into::<HtmlDialogElement>().ok());
        if let Some(dialog) = dialog
            && answered.replace(now) != now
        {
            // Only an already open dialog refuses, and then it is open.
            let _ = dialog.show_modal();
            sharing.link.set(Link::Packing);
            spawn_local(sharing.pack());
        }
    };
    drawn(move || sharing.html(asked), move |deed| sharing.act(deed), draw)
}

/// What the dialog works on.
#[derive(Clone, Copy)]
struct Sharing {
    playground: Playground,
    link: RwSignal<Link>,
}

impl Sharing {
    fn html(self, asked: &'static Watched<u32>) -> String {
        asked.track();
        let snippets: String = snippets(self.playground).iter().enumerate().map(snippet).collect();
        fill(
            "<dialog class=\"dialog\" aria-labelledby=\"share-title\"><h2 id=\"share-title\">Send this moment</h2>\
             <p class=\"quiet\">The link holds the tables, the question, the traffic and the clock, and both runs if there are two. It is read by the page \
             itself and never sent to a server.</p><div aria-live=\"polite\">{!}</div><h3>As a file</h3>\
             <p class=\"dialog-row\"><button type=\"button\" class=\"say\" data-do=\"share-save\">Save as file</button>\
             <label class=\"say items-file\">Open a file<input type=\"file\" class=\"vh\" aria-label=\"Open a file\" \
             accept=\"application/json,.json\" data-do=\"share-open\"></label></p>\
             <h3>In an article</h3>{!}<p class=\"dialog-close\">\
             <button type=\"button\" class=\"do\" data-do=\"share-close\">Close</button></p></dialog>",
            &[&self.link.with(link_html), &snippets],
        )
    }

    /// What its controls do.
    fn act(self, deed: &Deed) {
        let playground = self.playground;
        match deed.is() {
            ("click", "share-close") => {
                let dialog = deed.element.closest("dialog").ok().flatten();
                if let Some(dialog) = dialog.and_then(|dialog| dialog.dyn_into::<HtmlDialogElement>().ok()) {
                    dialog.close();
                }
            }
            ("click", "share-copy") => spawn_local(async move {
                let Link::Ready { address, .. } = self.link.get_untracked() else { return };
                let copied = clipboard::copy(&address).await;
                self.link.set(Link::Ready { address, copied });
            }),
            ("click", "share-save") => {
                if let Ok(json) = serde_json::to_string(&SharedState::of(playground)) {
                    download("dynascope.json", &json);
                }
            }
            ("change", "share-open") => {
                let input = deed.element.dyn_ref::<HtmlInputElement>();
                // What comes of it is said in the notice line, which a dialog would hide.
                if let Some(dialog) = deed.element.closest("dialog").ok().flatten() {
                    dialog.unchecked_into::<HtmlDialogElement>().close();
                }
                if let Some(file) = input.and_then(HtmlInputElement::files).and_then(|files| files.get(0)) {
                    spawn_local(load(playground, file));
                }
            }
            ("click", "share-snippet") => {
                let at = deed.number("data-at");
                let source = untrack(|| snippets(playground))[at.min(2)].1.clone();
                spawn_local(async move {
                    if clipboard::copy(&source).await {
                        playground.say("Copied.");
                    } else {
                        playground.complain("This browser does not allow copying here; select the text instead.");
                    }
                });
            }
            _ => {}
        }
    }

    async fn pack(self) {
        let shown = match share::encode(&SharedState::of(self.playground)).await {
            None => Link::Unavailable,
            Some(payload) if payload.len() > LONGEST_LINK => Link::TooLong(payload.len()),
            Some(payload) => {
                let address = format!("{}#s={payload}", place::base_address());
                let copied = clipboard::copy(&address).await;
                Link::Ready { address, copied }
            }
        };
        self.link.set(shown);
    }
}

fn link_html(link: &Link) -> String {
    let count = |length: usize| text::count(length as u64);
    match link {
        Link::Packing => "<p class=\"quiet\">Packing…</p>".to_owned(),
        Link::Unavailable => "<p class=\"r\">This browser cannot pack a link. Save a file instead.</p>".to_owned(),
        Link::TooLong(length) => fill(
            "<p class=\"r\">This state would make a link of {} characters; {} is the most. Save a file instead.</p>",
            &[&count(*length), &count(LONGEST_LINK)],
        ),
        Link::Ready { address, copied } => fill(
            "<textarea class=\"type\" aria-label=\"Link\" readonly data-do=\"link\" data-value=\"{}\"></textarea>\
             <p class=\"dialog-row\"><button type=\"button\" class=\"do\" data-do=\"share-copy\">Copy link</button>\
             <span class=\"quiet\">{}{} characters.{}</span></p>",
            &[
                address,
                if *copied { "Copied. " } else { "" },
                &count(address.len()),
                if address.len() > LONG_LINK { " Some chat tools cut links of more than 2,000." } else { "" },
            ],
        ),
    }
}

/// Opens a file with scenario and journal: what a bug report, a golden test and a native replay read.
async fn load(playground: Playground, file: web_sys::File) {
    if file.size() > f64::from(share::MAX_STATE_BYTES) {
        return playground.complain(format!("{} is larger than any saved state; at most 8 MB are read.", file.name()));
    }
    let json = JsFuture::from(file.text()).await.ok().and_then(|text| text.as_string()).unwrap_or_default();
    match share::read(&json) {
        Err(error) => playground.complain(format!("{} is not a saved state: {error}", file.name())),
        Ok(state) => open_file(playground, &file.name(), state),
    }
}

fn open_file(playground: Playground, name: &str, state: SharedState) {
    if let Err(failure) = show_state(playground, &state) {
        playground.complain(text::link_refused(&failure.message));
        return;
    }
    playground.scene.set(state.scene.as_deref().and_then(Scene::find));
    playground.lens.set(state.lens);
    playground.say(format!("{name} is open."));
}

fn download(name: &str, content: &str) {
    let Some(link) =
        document().create_element("a").ok().and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok())
    else {
        return;
    };
    let address = format!("data:application/json;charset=utf-8,{}", js_sys::encode_uri_component(content));
    let named = link.set_attribute("href", &address).and_then(|()| link.set_attribute("download", name));
    if named.is_ok() {
        link.click();
    }
}

/// Three ways to embed the scene the page stands on.
fn snippets(playground: Playground) -> [(&'static str, String); 3] {
    let base = place::base_address();
    let base = base.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let (slug, name) =
        playground.scene.with(|scene| scene.as_ref().map_or(("hot-key", "a scene"), |scene| (scene.slug, scene.name)));
    [
        (
            "Element",
            format!(
                "<script type=\"module\" src=\"{base}embed.js\"></script>\n<dynascope-embed scene=\"{slug}\"></dynascope-embed>"
            ),
        ),
        (
            "Frame without a script",
            format!(
                "<iframe src=\"{base}embed.html?scene={slug}\" title=\"Dynascope: {name}\" width=\"100%\" height=\"440\" loading=\"lazy\" style=\"border:0\" allow=\"clipboard-write; fullscreen\"></iframe>"
            ),
        ),
        ("Markdown", format!("[Try it in Dynascope]({base}?scene={slug})")),
    ]
}

fn snippet((at, (name, source)): (usize, &(&str, String))) -> String {
    fill(
        "<div class=\"share-snippet\"><span class=\"quiet\">{}</span><button type=\"button\" class=\"say\" \
         aria-label=\"Copy: {}\" data-do=\"share-snippet\" data-at=\"{}\">Copy</button>\
         <pre class=\"mono\" tabindex=\"0\" aria-label=\"{}\">{}</pre></div>",
        &[name, name, &at.to_string(), name, source],
    )
}
