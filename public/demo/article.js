// The sentence in the prose that counts along with the figure.
document.addEventListener("dynascope-state", ({ target, detail }) => {
  const place = document.querySelector(`[data-counts="${target.getAttribute("name")}"]`);
  if (place) place.textContent = detail.refused ? detail.refused.toLocaleString("en") : "no";
});
