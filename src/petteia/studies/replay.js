// Replays the games of a page on a board that is drawn here, without a server.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("games").textContent);
  const board = document.getElementById("board");
  const said = document.getElementById("said");
  const choice = document.getElementById("game");
  const slider = document.getElementById("ply");
  const plies = document.getElementById("plies");
  let game = 0;
  let ply = 0;

  function node(tag, attributes, children = []) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  // A part of a symbol; a text of its own, or else the place's.
  function part([tag, attributes, own], text) {
    return node(tag, attributes, tag === "text" ? [own ?? text] : []);
  }

  function placed(kind, parts, x, y, scale, text) {
    const transform = `translate(${x} ${y}) scale(${scale})`;
    return node("g", { class: kind, transform }, parts.map((each) => part(each, text)));
  }

  function draw() {
    const frame = data.games[game].frames[ply];
    const ground = data.boards[frame.board];
    const symbols = data.symbols;
    const cells = ground.cells.map(([name, x, y]) =>
      placed(symbols[name].kind, symbols[name].parts, x, y, 1, ""));
    const rings = ground.cells
      .filter(([name, , , cell]) => frame.last.includes(cell) && symbols[name].ring)
      .map(([name, x, y]) => placed("last", [symbols[name].ring], x, y, 1, ""));
    const pieces = frame.pieces.map(([name, x, y, scale, count]) =>
      placed(symbols[name].kind, [...symbols[name].parts, ...(count ? symbols.badge.parts : [])],
        x, y, scale, String(count)));
    const labels = ground.labels.map(([name, x, y, text]) =>
      placed(symbols[name].kind, symbols[name].parts, x, y, 1, text));
    const [left, top, width, height] = ground.box;
    board.setAttribute("viewBox", `${left} ${top} ${width} ${height}`);
    board.replaceChildren(
      node("rect", { class: "paper", x: left, y: top, width, height, rx: 14 }),
      part(ground.ground, ""),
      node("g", { class: "cells" }, cells),
      node("g", { class: "last-move" }, rings),
      node("g", { class: "pieces" }, pieces),
      node("g", { class: "labels" }, labels),
    );
    said.textContent = frame.text;
    slider.value = String(ply);
    [...plies.children].forEach((each, number) => {
      if (number + 1 === ply) each.setAttribute("aria-current", "true");
      else each.removeAttribute("aria-current");
    });
  }

  function go(to) {
    ply = Math.max(0, Math.min(to, data.games[game].frames.length - 1));
    draw();
  }

  function open(number) {
    game = number;
    const frames = data.games[game].frames;
    slider.max = String(frames.length - 1);
    document.getElementById("about").textContent = data.games[game].about;
    plies.replaceChildren(...frames.slice(1).map((frame, index) => {
      const button = document.createElement("button");
      button.textContent = `${index + 1}. ${frame.ply}`;
      button.addEventListener("click", () => go(index + 1));
      return button;
    }));
    go(0);
  }

  data.games.forEach((each, number) => choice.add(new Option(each.title, String(number))));
  choice.addEventListener("change", () => open(Number(choice.value)));
  slider.addEventListener("input", () => go(Number(slider.value)));
  for (const [name, step] of Object.entries({ first: -Infinity, back: -1, next: 1, last: Infinity })) {
    document.getElementById(name).addEventListener("click", () => go(ply + step));
  }
  document.addEventListener("keydown", (event) => {
    if (event.target instanceof HTMLSelectElement || event.target === slider) return;
    if (event.key === "ArrowLeft") go(ply - 1);
    if (event.key === "ArrowRight") go(ply + 1);
  });
  open(0);
})();
