//! A block of the page as a function from state to markup, patched in place.
//!
//! Markup is written anew whenever what it was made of changes; only what differs is touched, so that focus, what is
//! being typed, an open dialog and a running transition stay. One listener on the block hears all its controls:
//! each names in `data-do` what it does. `data-value` is the value of a field.

use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Event, Node};

/// Events that a block hears.
const KINDS: [&str; 13] = [
    "click",
    "change",
    "input",
    "keydown",
    "submit",
    "paste",
    "pointerdown",
    "pointermove",
    "pointerup",
    "pointercancel",
    "pointerover",
    "focusin",
    "transitionend",
];

/// Something that a person did to a control.
pub struct Deed {
    /// The event's type.
    pub kind: String,
    /// The control's `data-do`.
    pub name: String,
    /// The control.
    pub element: Element,
    /// The event.
    pub event: Event,
}

impl Deed {
    /// The event, seen from the control around its target.
    fn of(event: Event) -> Option<Self> {
        let target = event.target()?.dyn_into::<Element>().ok()?;
        let element = target.closest("[data-do]").ok()??;
        let name = element.get_attribute("data-do")?;
        (!element.has_attribute("disabled")).then(|| Self { kind: event.type_(), name, element, event })
    }

    /// What it is and what it is about, to be matched.
    pub fn is(&self) -> (&str, &str) {
        (&self.kind, &self.name)
    }

    /// The field's value.
    pub fn value(&self) -> String {
        value_of(&self.element)
    }

    /// The number in another attribute of the control.
    pub fn number(&self, attribute: &str) -> usize {
        self.element.get_attribute(attribute).and_then(|number| number.parse().ok()).unwrap_or_default()
    }
}

fn value_of(field: &JsValue) -> String {
    js_sys::Reflect::get(field, &"value".into()).ok().and_then(|value| value.as_string()).unwrap_or_default()
}

/// Sets a field, without moving the caret of one that is right already.
pub fn set_value(field: &JsValue, value: &str) {
    if value_of(field) != value {
        // A field takes any text.
        let _ = js_sys::Reflect::set(field, &"value".into(), &value.into());
    }
}

/// Sets the control of that name in a block: for a value that its markup cannot carry.
pub fn set_field(block: &Element, name: &str, value: &str) {
    let selector = ["[data-do=\"", name, "\"]"].concat();
    if let Ok(Some(field)) = block.query_selector(&selector) {
        set_value(&field, value);
    }
}

/// Fills a template: `{}` with a text, `{!}` with markup.
pub fn fill(template: &str, slots: &[&str]) -> String {
    let mut html = super::html::Html::new();
    let mut slots = slots.iter();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        html.raw(before);
        let slot = slots.next().copied().unwrap_or_default();
        rest = if let Some(after) = after.strip_prefix("!}") {
            html.raw(slot);
            after
        } else {
            html.text(slot);
            after.strip_prefix('}').unwrap_or(after)
        };
    }
    html.raw(rest).finish()
}

/// A paragraph's markup: `code`, **strong**, *emphasis* and [links](…).
pub fn prose(source: &str) -> String {
    super::html::Html::new().prose(source).finish()
}

/// What an attribute says of a truth.
pub const fn truth(is: bool) -> &'static str {
    if is { "true" } else { "false" }
}

/// ` disabled`, or nothing.
pub const fn disabled(is: bool) -> &'static str {
    if is { " disabled" } else { "" }
}

/// A block that is only looked at.
pub fn shown(render: impl Fn() -> String + 'static) -> AnyView {
    block(Box::new(render), Box::new(|_| {}), Box::new(|_| {}))
}

/// A block with controls.
pub fn live(render: impl Fn() -> String + 'static, act: impl Fn(&Deed) + 'static) -> AnyView {
    block(Box::new(render), Box::new(act), Box::new(|_| {}))
}

/// A block in which something is drawn after each look at the state.
pub fn drawn(
    render: impl Fn() -> String + 'static,
    act: impl Fn(&Deed) + 'static,
    draw: impl Fn(&Element) + 'static,
) -> AnyView {
    block(Box::new(render), Box::new(act), Box::new(draw))
}

/// A `<div>` around blocks. `role` and `label` may be empty.
pub fn around(class: &'static str, role: &'static str, label: &'static str, blocks: Vec<AnyView>) -> AnyView {
    boxed("", class, role, label, blocks)
}

/// A region around blocks that the program moves the focus to; its class is its id.
pub fn region(id: &'static str, label: &'static str, blocks: Vec<AnyView>) -> AnyView {
    boxed(id, id, "region", label, blocks)
}

fn boxed(
    id: &'static str,
    class: &'static str,
    role: &'static str,
    label: &'static str,
    blocks: Vec<AnyView>,
) -> AnyView {
    let some = |text: &'static str| (!text.is_empty()).then_some(text);
    let index = (!id.is_empty()).then_some("-1");
    view! { <div id=some(id) class=class role=some(role) aria-label=some(label) tabindex=index>{blocks}</div> }
        .into_any()
}

type Act = Box<dyn Fn(&Deed)>;
/// No `FnMut`, for moving the focus calls it from within.
type Heard = Closure<dyn Fn(Event)>;

fn block(render: Box<dyn Fn() -> String>, act: Act, draw: Box<dyn Fn(&Element)>) -> AnyView {
    let node = NodeRef::<Div>::new();
    let first = untrack(&render);
    // It lives as long as what the block belongs to.
    let heard = StoredValue::new_local(Heard::new(move |event: Event| {
        if let Some(deed) = Deed::of(event) {
            act(&deed);
        }
    }));
    on_cleanup(move || {
        if let Some(element) = node.get_untracked() {
            heard.with_value(|heard| deafen(element.unchecked_ref(), heard));
        }
    });
    Effect::new(move |before: Option<String>| {
        let now = render();
        let Some(element) = node.get() else { return now };
        let element: &Element = element.unchecked_ref();
        if before.is_none() {
            settle(element);
            heard.with_value(|heard| listen(element, heard));
        }
        // Leptos may have put the block in the place, and into the element, of an earlier one.
        if before.as_ref() != Some(&now)
            && let Ok(new) = element.clone_node()
        {
            let new: Element = new.unchecked_into();
            new.set_inner_html(&now);
            let focused = focused_in(element);
            patch(element, &new);
            refocus(element, focused);
        }
        draw(element);
        now
    });
    view! { <div class="live" node_ref=node inner_html=first></div> }.into_any()
}

/// The control that has the focus, by what it does, if it is in the block.
fn focused_in(block: &Element) -> Option<String> {
    let focused = document().active_element().filter(|focused| block.contains(Some(focused)))?;
    focused.get_attribute("data-do")
}

/// Patching goes by place: a control whose place has moved was replaced by another node, which takes over its focus.
fn refocus(block: &Element, focused: Option<String>) {
    let lost = document().active_element().is_none_or(|focused| focused.tag_name() == "BODY");
    if let (true, Some(name)) = (lost, focused)
        && let Ok(Some(control)) = block.query_selector(&["[data-do=\"", &name, "\"]:not([disabled])"].concat())
    {
        // A control that is there can be focused.
        let _ = control.unchecked_into::<web_sys::HtmlElement>().focus();
    }
}

/// What had the focus is about to go; what takes its place gets it, once it is drawn.
pub fn focus_soon(control: &'static str) {
    request_animation_frame(move || {
        if let Ok(Some(control)) = document().query_selector(control) {
            // What is on the page can be focused.
            let _ = control.unchecked_into::<web_sys::HtmlElement>().focus();
        }
    });
}

fn listen(element: &Element, heard: &Heard) {
    for kind in KINDS {
        // Listening cannot fail.
        let _ = element.add_event_listener_with_callback(kind, heard.as_ref().unchecked_ref());
    }
}

/// The element may outlive the block: another one may take it over.
fn deafen(element: &Element, heard: &Heard) {
    for kind in KINDS {
        let _ = element.remove_event_listener_with_callback(kind, heard.as_ref().unchecked_ref());
    }
}

/// Gives new fields their values.
fn settle(node: &Node) {
    if let Some(element) = node.dyn_ref::<Element>()
        && let Some(value) = element.get_attribute("data-value")
    {
        set_value(element, &value);
    }
    let mut child = node.first_child();
    while let Some(node) = child {
        settle(&node);
        child = node.next_sibling();
    }
}

/// Makes the content of `old` that of `new`, which is used up.
fn patch(old: &Node, new: &Node) {
    let mut have = old.first_child();
    let mut want = new.first_child();
    while let Some(wanted) = want {
        want = wanted.next_sibling();
        let Some(node) = have.take() else {
            settle(&wanted);
            // Both nodes are of this document.
            let _ = old.append_child(&wanted);
            continue;
        };
        have = node.next_sibling();
        let name = node.node_name();
        if name != wanted.node_name() {
            settle(&wanted);
            let _ = old.replace_child(&wanted, &node);
        } else if let (Some(element), Some(wanted)) = (node.dyn_ref::<Element>(), wanted.dyn_ref::<Element>()) {
            // A canvas is drawn on by somebody else.
            if name != "CANVAS" && !node.is_equal_node(Some(&**wanted)) {
                patch(element, wanted);
                attributes(element, wanted);
            }
        } else if node.node_value() != wanted.node_value() {
            node.set_node_value(wanted.node_value().as_deref());
        }
    }
    while let Some(node) = have {
        have = node.next_sibling();
        let _ = old.remove_child(&node);
    }
}

fn attributes(element: &Element, wanted: &Element) {
    for name in wanted.get_attribute_names().iter().filter_map(|name| name.as_string()) {
        let value = wanted.get_attribute(&name).unwrap_or_default();
        if element.get_attribute(&name).as_ref() != Some(&value) {
            // It was an attribute before.
            let _ = element.set_attribute(&name, &value);
            if name == "data-value" {
                set_value(element, &value);
            }
        }
    }
    for name in element.get_attribute_names().iter().filter_map(|name| name.as_string()) {
        // Whether a dialog is open is the reader's business.
        if name != "open" && !wanted.has_attribute(&name) {
            let _ = element.remove_attribute(&name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped_and_markup_is_not() {
        assert_eq!(fill("<p>{}</p>{!}", &["<b>", "<i></i>"]), "<p>&lt;b&gt;</p><i></i>");
        assert_eq!(fill("{}{}", &["a"]), "a");
    }
}
