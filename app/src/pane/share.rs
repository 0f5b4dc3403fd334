//! Share: a link that holds the whole state, a file that does, and snippets that embed the scene.

use crate::playground::Playground;
use crate::scene::Scene;
use crate::share::{self, LONG_LINK, LONGEST_LINK, SharedState};
use crate::{clipboard, place, text};
use leptos::html::{Dialog, Input};
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;

/// The state as it stands, for a link.
pub fn current_state(playground: Playground) -> SharedState {
    SharedState {
        scene: playground.scene.with_untracked(|scene| scene.as_ref().map(|scene| scene.slug.to_owned())),
        recording: playground.recording(),
        table: playground.table.get_untracked(),
        lens: playground.lens.get_untracked(),
        ask: playground.ask.get_untracked(),
        pages: playground.pages.with_untracked(Vec::len),
    }
}

/// Has nothing been done to the scene yet?
pub fn is_pristine(playground: Playground) -> bool {
    let Some(scene) = playground.scene.get_untracked() else { return false };
    let untouched = playground.with(|session| session.journal().is_empty());
    untouched
        && playground.ask.with_untracked(|ask| *ask == scene.ask())
        && playground.lens.get_untracked() == scene.lens
        && playground.pages.with_untracked(Vec::is_empty)
}

/// What the dialog shows.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Link {
    Packing,
    Ready { address: String, copied: bool },
    TooLong(usize),
    Unavailable,
}

/// The button and its dialog.
#[component]
pub fn ShareDialog() -> impl IntoView {
    let playground = Playground::expect();
    let dialog = NodeRef::<Dialog>::new();
    let link = RwSignal::new(Link::Packing);
    let open = move |_| {
        link.set(Link::Packing);
        if let Some(dialog) = dialog.get_untracked() {
            // Only an already open dialog refuses, and then it is open.
            let _ = dialog.show_modal();
        }
        spawn_local(async move {
            let shown = match share::encode(&current_state(playground)).await {
                None => Link::Unavailable,
                Some(payload) if payload.len() > LONGEST_LINK => Link::TooLong(payload.len()),
                Some(payload) => {
                    let address = format!("{}#s={payload}", place::base_address());
                    let copied = clipboard::copy(&address).await;
                    Link::Ready { address, copied }
                }
            };
            link.set(shown);
        });
    };
    view! {
        <button type="button" class="say" on:click=open>"Share"</button>
        <dialog class="dialog" node_ref=dialog aria-labelledby="share-title">
            <h2 id="share-title">"Send this moment"</h2>
            <p class="quiet">
                "The link holds the tables, the question, the traffic and the clock. It is read by the page itself and never sent to a server."
            </p>
            <div aria-live="polite">{move || view! { <LinkView link=link.get() /> }}</div>
            <h3>"As a file"</h3>
            <FileRow />
            <h3>"In an article"</h3>
            <Snippets />
            <p class="dialog-close">
                <button type="button" class="do" on:click=move |_| close(dialog)>"Close"</button>
            </p>
        </dialog>
    }
}

fn close(dialog: NodeRef<Dialog>) {
    if let Some(dialog) = dialog.get_untracked() {
        dialog.close();
    }
}

#[component]
fn LinkView(link: Link) -> impl IntoView {
    match link {
        Link::Packing => view! { <p class="quiet">"Packing…"</p> }.into_any(),
        Link::Unavailable => {
            view! { <p class="r">"This browser cannot pack a link. Save a file instead."</p> }.into_any()
        }
        Link::TooLong(length) => view! {
            <p class="r">
                {format!(
                    "This state would make a link of {} characters; {} is the most. Save a file instead.",
                    text::count(length as u64),
                    text::count(LONGEST_LINK as u64),
                )}
            </p>
        }
        .into_any(),
        Link::Ready { address, copied } => {
            let length = address.len();
            let said = RwSignal::new(copied);
            let again = address.clone();
            let long = (length > LONG_LINK).then_some(" Some chat tools cut links of more than 2,000.");
            view! {
                <textarea class="type" aria-label="Link" readonly=true prop:value=address.clone() />
                <p class="dialog-row">
                    <button
                        type="button"
                        class="do"
                        on:click=move |_| {
                            let address = again.clone();
                            spawn_local(async move { said.set(clipboard::copy(&address).await) });
                        }
                    >
                        "Copy link"
                    </button>
                    <span class="quiet">
                        {move || if said.get() { "Copied. " } else { "" }}
                        {format!("{} characters.", text::count(length as u64))}
                        {long}
                    </span>
                </p>
            }
            .into_any()
        }
    }
}

/// Scenario and journal as JSON: what a bug report, a golden test and a native replay read.
#[component]
fn FileRow() -> impl IntoView {
    let playground = Playground::expect();
    let input = NodeRef::<Input>::new();
    let save = move |_| {
        if let Ok(json) = serde_json::to_string(&current_state(playground)) {
            download("dynascope.json", &json);
        }
    };
    let load = move |_| {
        let file = input.get_untracked().and_then(|input| input.files()).and_then(|files| files.get(0));
        let Some(file) = file else { return };
        spawn_local(async move {
            let json = JsFuture::from(file.text()).await.ok().and_then(|text| text.as_string()).unwrap_or_default();
            match share::read(&json) {
                Err(error) => playground.complain(format!("{} is not a saved state: {error}", file.name())),
                Ok(state) => open_file(playground, &file.name(), state),
            }
        });
    };
    view! {
        <p class="dialog-row">
            <button type="button" class="say" on:click=save>"Save as file"</button>
            <label>
                "Open a file: "
                <input type="file" accept="application/json,.json" node_ref=input on:change=load />
            </label>
        </p>
    }
}

fn open_file(playground: Playground, name: &str, state: SharedState) {
    let loaded = playground.load_recording(&state.recording, &state.table, state.ask, state.pages);
    if let Err(failure) = loaded {
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
#[component]
fn Snippets() -> impl IntoView {
    let playground = Playground::expect();
    let base = place::base_address();
    let base = base.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let slug = move || playground.scene.get().map_or("hot-key", |scene| scene.slug);
    let element = {
        let base = base.clone();
        move || {
            format!(
                "<script type=\"module\" src=\"{base}embed.js\"></script>\n<dynascope-embed scene=\"{}\"></dynascope-embed>",
                slug()
            )
        }
    };
    let frame = {
        let base = base.clone();
        move || {
            format!(
                "<iframe src=\"{base}embed.html?scene={}\" title=\"Dynascope: {}\" width=\"100%\" height=\"440\" loading=\"lazy\" style=\"border:0\" allow=\"clipboard-write; fullscreen\"></iframe>",
                slug(),
                playground.scene.get().map_or("a scene", |scene| scene.name)
            )
        }
    };
    let markdown = move || format!("[Try it in Dynascope]({base}?scene={})", slug());
    view! {
        <Snippet name="Element" source=Signal::derive(element) />
        <Snippet name="Frame without a script" source=Signal::derive(frame) />
        <Snippet name="Markdown" source=Signal::derive(markdown) />
    }
}

#[component]
fn Snippet(name: &'static str, source: Signal<String>) -> impl IntoView {
    let playground = Playground::expect();
    let copy = move |_| {
        spawn_local(async move {
            if clipboard::copy(&source.get_untracked()).await {
                playground.say("Copied.");
            } else {
                playground.complain("This browser does not allow copying here; select the text instead.");
            }
        });
    };
    view! {
        <div class="share-snippet">
            <span class="quiet">{name}</span>
            <button type="button" class="say" aria-label=format!("Copy: {name}") on:click=copy>"Copy"</button>
            <pre class="mono" tabindex="0" aria-label=name>{move || source.get()}</pre>
        </div>
    }
}
