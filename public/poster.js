// Runs before anything else: if the engine has not come to life after a while, the page says so in plain words.
(() => {
  const note = document.getElementById("poster-note");
  const say = (text) => {
    if (note && note.isConnected) note.textContent = text;
  };
  const failed = (event) => {
    const reason = String(event.reason ?? event.message ?? "");
    if (/wasm|WebAssembly|CompileError|unsafe-eval/i.test(reason)) {
      say("This page may not run WebAssembly here: its content policy needs 'wasm-unsafe-eval'. The figure above is a still.");
    } else {
      say("Dynascope could not start. Reload the page to try again; the figure above is a still.");
    }
  };
  addEventListener("unhandledrejection", failed);
  addEventListener("error", failed, true);
  setTimeout(() => say("Still loading. If nothing happens, a file of this page may be missing; reload to try again."), 12000);
})();
