//! The time bar: transport, clock, ruler, speed. It never leaves the page.

mod ruler;

pub use ruler::Ruler;

use super::partitions::{Seen, seen};
use crate::frame::clock_text;
use crate::playground::{Playground, SPEEDS};
use crate::scene::Scene;
use crate::text::{count, percent};
use dynascope_engine::time::SimTime;
use leptos::prelude::*;

/// The bar.
#[component]
pub fn TimeBar() -> impl IntoView {
    let playground = Playground::expect();
    playground.play_if_moving();
    let seen = seen(playground);
    let seed = move || {
        playground.version.track();
        playground.with(|session| session.scenario().seed)
    };
    view! {
        <div class="time" role="group" aria-label="Time">
            <Money seen=seen />
            <Transport />
            <Clock />
            <Ruler />
            <SpeedPick />
            <span class="time-seed">"seed " {seed}</span>
            <button type="button" class="say time-restart" on:click=move |_| restart(playground)>"Restart"</button>
        </div>
    }
}

/// Begins the scene again, with its own traffic and capacity.
pub fn restart(playground: Playground) {
    if let Some(scene) = playground.scene.get_untracked().or_else(|| Scene::find("hot-key")) {
        let lens = playground.lens.get_untracked();
        playground.load_scene(scene);
        playground.lens.set(lens);
    }
}

/// Plays or pauses.
pub fn toggle(playground: Playground) {
    playground.close.set(false);
    playground.playing.update(|playing| *playing = !*playing);
}

/// The round button.
#[component]
pub fn PlayButton() -> impl IntoView {
    let playground = Playground::expect();
    let playing = move || playground.playing.get();
    view! {
        <button
            type="button"
            class="time-play"
            aria-label=move || if playing() { "Pause" } else { "Play" }
            on:click=move |_| toggle(playground)
        >
            <svg viewBox="0 0 18 18" aria-hidden="true">
                <path d=move || if playing() { "M5 4h3v10H5zM10 4h3v10h-3z" } else { "M6 3.5 14.5 9 6 14.5z" } />
            </svg>
        </button>
    }
}

#[component]
fn Transport() -> impl IntoView {
    let playground = Playground::expect();
    let request = move |_| {
        playground.playing.set(false);
        playground.close.set(true);
        playground.step_request();
    };
    let second = move |_| {
        playground.playing.set(false);
        playground.close.set(false);
        playground.step_second();
    };
    view! {
        <PlayButton />
        <button type="button" class="time-step" aria-label="Step one request" title="Step one request" on:click=request>
            <svg viewBox="0 0 18 18" aria-hidden="true"><path d="M4 4 9.5 9 4 14zM11.5 7.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6z" /></svg>
        </button>
        <button type="button" class="time-step" aria-label="Step one second" title="Step one second" on:click=second>
            <svg viewBox="0 0 18 18" aria-hidden="true"><path d="M4 4 9.5 9 4 14zM10 4h1.8v10H10z" /></svg>
        </button>
    }
}

/// The clock.
#[component]
pub fn Clock() -> impl IntoView {
    let playground = Playground::expect();
    let now = move || playground.telemetry.with(|telemetry| telemetry.as_ref().map_or(SimTime::ZERO, |t| t.now));
    let text = move || {
        let now = now();
        if playground.close.get() && now.second() < 60 {
            format!("{}.{:04} s", now.second(), now.0 % 1_000_000 / 100)
        } else {
            clock_text(now)
        }
    };
    view! { <span class="time-clock" role="timer" aria-label="Clock" aria-live="off">{text}</span> }
}

#[component]
fn SpeedPick() -> impl IntoView {
    let playground = Playground::expect();
    let choose = move |event| {
        if let Ok(speed) = event_target_value(&event).parse() {
            playground.speed.set(speed);
            playground.publish();
        }
    };
    let behind = move || {
        let (wanted, achieved) = (playground.speed.get(), playground.achieved.get());
        (playground.playing.get() && achieved * 10 < wanted * 9 && achieved > 0)
            .then(|| format!("runs at {}", speed_text(achieved)))
    };
    view! {
        <span class="time-speed">
            <select class="pick" aria-label="Speed" on:change=choose prop:value=move || playground.speed.get().to_string()>
                {SPEEDS
                    .map(|speed| {
                        let selected = move || playground.speed.get() == speed;
                        view! { <option value=speed.to_string() selected=selected>{speed_text(speed)}</option> }
                    })
                    .collect_view()}
            </select>
            <small>{behind}</small>
        </span>
    }
}

/// `×1`, `×60`, `×1/100`.
fn speed_text(hundredths: u32) -> String {
    match hundredths {
        1..=50 => format!("×1/{}", 100 / hundredths),
        _ if hundredths.is_multiple_of(100) => format!("×{}", hundredths / 100),
        _ => format!("×{}.{}", hundredths / 100, hundredths % 100 / 10),
    }
}

/// On phones: what the second was worth.
#[component]
fn Money(seen: Memo<Option<Seen>>) -> impl IntoView {
    let figures = move || seen.with(|seen| seen.as_ref().map(super::details::money));
    let shown = move || playground_has_traffic();
    view! {
        <Show when=shown>
            <p class="money">
                <span><b class="k">{move || figures().map(|(taken, ..)| count(taken))}</b> <i class="money-taken" aria-hidden="true"></i> "taken"</span>
                <span><b class="r">{move || figures().map(|(_, refused, _)| count(refused))}</b> <i class="money-refused" aria-hidden="true"></i> "refused"</span>
                <Show when=move || figures().is_some_and(|(.., share)| share.is_some())>
                    <span><b>{move || figures().and_then(|(.., share)| share).map(percent)}</b> " of table"</span>
                </Show>
            </p>
        </Show>
    }
}

fn playground_has_traffic() -> bool {
    Playground::expect().traffic.with(|streams| !streams.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_and_rulers_are_round() {
        assert_eq!(SPEEDS.map(speed_text), ["×1/100", "×1/10", "×1", "×10", "×60"]);
        assert_eq!(speed_text(1234), "×12.3");
    }
}
