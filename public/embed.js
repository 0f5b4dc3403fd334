// <dynascope-embed scene="hot-key" theme="auto" height="420">what to see without it</dynascope-embed>
//
// Attributes: scene, theme, run, bg, state (a link's #s= payload), height, title, name (for links in the prose).
// Its children stand in until the figure is there. Methods: set(name, value), play(), pause(), reset().
// Events: dynascope-ready, dynascope-state (detail: accepted, refused, …). A link such as
// <a href="#dynascope:hot.suffixes=10"> sets a parameter of the embed with name="hot".
// Without this script a plain iframe works too: …/embed.html?scene=hot-key
(() => {
  // A module has no current script; then the file's own name finds it.
  const named = () => [...document.scripts].map(({ src }) => src).find((src) => /\/embed\.js(\?|$)/.test(src));
  const home = document.currentScript?.src || named() || location.href;
  const PASSED = ["scene", "theme", "run", "bg"];
  const SANDBOX = "allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox";

  class DynascopeEmbed extends HTMLElement {
    static observedAttributes = ["theme"];
    #frame;
    #waiting = [];
    #ready = false;

    connectedCallback() {
      addEventListener("message", this);
      if (this.#frame) return;
      this.style.display ||= "block";
      // Kept free from the start, so that the text below does not move.
      this.style.minHeight ||= this.#height();
      const seer = new IntersectionObserver((entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        seer.disconnect();
        this.#open();
      }, { rootMargin: "800px" });
      seer.observe(this);
    }

    disconnectedCallback() {
      removeEventListener("message", this);
    }

    attributeChangedCallback(name, _, theme) {
      if (this.#frame) this.#post({ type: "theme", theme });
    }

    #height() {
      return `${parseInt(this.getAttribute("height"), 10) || 420}px`;
    }

    #open() {
      const url = new URL("embed.html", home);
      for (const name of PASSED) if (this.hasAttribute(name)) url.searchParams.set(name, this.getAttribute(name));
      if (this.getAttribute("name")) url.searchParams.set("ref", this.getAttribute("name"));
      if (this.hasAttribute("state")) url.hash = `s=${this.getAttribute("state")}`;
      const frame = (this.#frame = document.createElement("iframe"));
      frame.title = this.title || "Dynascope: DynamoDB, live";
      // On the page's own site a sandbox with these words would hold nothing, and browsers say so.
      if (url.origin !== location.origin) frame.setAttribute("sandbox", SANDBOX);
      frame.style.cssText = `display:none;width:100%;border:0;height:${this.#height()}`;
      frame.src = url;
      this.append(frame);
    }

    /** Messages from its own frame only, whatever its origin. */
    handleEvent({ source, data }) {
      if (!this.#frame || source !== this.#frame.contentWindow || data?.dynascope !== 1) return;
      if (data.type === "ready") this.#start();
      if (data.type === "resize") this.#fit(data.height);
      if (["ready", "state"].includes(data.type)) {
        this.dispatchEvent(new CustomEvent(`dynascope-${data.type}`, { bubbles: true, detail: data }));
      }
    }

    #start() {
      for (const child of [...this.childNodes]) if (child !== this.#frame) child.remove();
      this.#frame.style.display = "block";
      this.#ready = true;
      for (const message of this.#waiting.splice(0)) this.#post(message);
    }

    // Grows at once; never shrinks under the reader's hands.
    #fit(height) {
      if (!(height > 0 && height < 5000)) return;
      const now = parseFloat(this.#frame.style.height);
      if (height > now) this.#frame.style.height = `${height}px`;
    }

    #post(message) {
      if (this.#ready) this.#frame.contentWindow?.postMessage({ dynascope: 1, ...message }, "*");
      else this.#waiting.push(message);
    }

    set(name, value) {
      this.#post({ type: "set", name, value });
    }
    play() {
      this.#post({ type: "play" });
    }
    pause() {
      this.#post({ type: "pause" });
    }
    reset() {
      this.#post({ type: "reset" });
    }
  }

  if (!customElements.get("dynascope-embed")) customElements.define("dynascope-embed", DynascopeEmbed);

  // #dynascope:hot.suffixes=10 in the prose.
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.('a[href^="#dynascope:"]');
    const found = link && /^#dynascope:([\w-]+)\.([\w-]+)=(.*)$/.exec(link.getAttribute("href"));
    if (!found) return;
    event.preventDefault();
    const [, name, parameter, value] = found;
    for (const embed of document.querySelectorAll("dynascope-embed")) {
      if (embed.getAttribute("name") === name) embed.set(parameter, decodeURIComponent(value));
    }
  });
})();
