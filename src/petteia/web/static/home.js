// @ts-check
// The first page: every game one click away, and what was played before.

import { address, ask, games } from "./api.js";
import { Board, colours } from "./board.js";
import { attempt, capital, complain, h, put } from "./dom.js";

/** The strength that the visitor chose last. */
export function usualLevel(game) {
	const wish = Number(localStorage.getItem("level") ?? 2);
	return Math.min(game.levels.length - 1, Math.max(0, wish));
}

/** Begins a game and goes to its table. */
export async function begin(wish) {
	await attempt(async () => {
		const table = await ask("/api/tables", wish);
		location.hash = `#/table/${table.id}`;
	});
}

function card(game) {
	const board = new Board({ names: game.names, still: true });
	board.show({ ...game.start, kind: "decision", text: "" }, {});
	board.svg.setAttribute("aria-hidden", "true");
	for (const cell of board.svg.querySelectorAll("[tabindex]")) cell.removeAttribute("tabindex");
	const level = game.levels[usualLevel(game)];
	const play = h("button", { class: "primary", onclick: () => begin({ game: game.spec, players: ["person", level.agent] }) }, "Play");
	return h(
		"article", { class: "card", ...colours(game.names) },
		h("div", { class: "card-board" }, board.element),
		h("h2", {}, capital(game.name)),
		h("p", {}, game.about),
		h("p", { class: "card-tools" }, play, h("a", { class: "button", href: address("new", { game: game.spec }) }, "Choose opponent"), h("a", { class: "quiet", href: address("analyse", { game: game.spec }) }, "Analyse")),
	);
}

/** @param {HTMLElement} main */
export async function home(main) {
	const [known, before] = await Promise.all([games(), ask("/api/tables")]);
	const cards = known.games.map(card);
	put(
		main,
		h("div", { class: "page" },
			h("h1", { class: "unseen" }, "Play"),
			h("div", { class: cards.length === 1 ? "cards one" : "cards" }, cards),
			before.tables.length ? recent(before.tables) : null,
		),
	);
}

/** @param {any[]} tables */
function recent(tables) {
	const rows = tables.map((table) => {
		const row = h("li", {},
			h("a", { href: `#/table/${table.id}` }, capital(table.game.split("(")[0])),
			` ${table.players.join(" – ")} · ${table.plies} moves · ${table.status} `,
			h("button", {
				class: "link", "aria-label": `forget this game of ${table.game}`,
				onclick: async () => {
					await ask(`/api/tables/${table.id}`, undefined, "DELETE");
					row.remove();
				},
			}, "forget"));
		return row;
	});
	return h("section", { class: "recent" }, h("h2", {}, "Your games"), h("ul", {}, rows));
}

/** The page that asks who plays, and how strong. @param {HTMLElement} main @param {URLSearchParams} given */
export async function chooser(main, given) {
	const known = await games();
	const { game: find } = await import("./api.js");
	let game = await find(given.get("game") || known.games[0].spec);
	const start = given.get("start") || "start";
	const moves = (given.get("moves") || "").split(" ").filter(Boolean);
	const form = h("form", { class: "page narrow" });
	let side = "first", level = usualLevel(game), other = "", seed = "";

	const draw = () => {
		const variants = [{ name: capital(game.name), spec: game.name }, ...game.variants];
		const current = game.levels[level];
		const meaning = h("output", {}, `${current.title}: ${current.meaning}`);
		const agent = h("code", {}, other || current.agent);
		put(form,
			h("h1", {}, `A game of ${capital(game.name)}`),
			h("label", {}, "Variant", h("select", { onchange: async (event) => { game = await find(event.target.value); level = usualLevel(game); draw(); } },
				variants.map((each) => h("option", { value: each.spec, selected: each.spec === game.spec || each.name === given.get("game") }, each.name)))),
			game.parameters.length ? h("label", {}, "or with its own parameters", h("input", {
				value: game.spec, spellcheck: "false", "aria-label": "game with parameters",
				onchange: async (event) => {
					try { game = await find(event.target.value); draw(); } catch (error) { complain(error); }
				} })) : null,
			h("fieldset", {}, h("legend", {}, "You play"),
				[["first", `${capital(game.names[0])}, ${game.simultaneous ? "one side" : "who begins"}`], ["second", capital(game.names[1])], ["both", "both sides at one screen"], ["none", "nobody: watch two agents"]].map(([value, text]) =>
					h("label", { class: "choice-row" }, h("input", { type: "radio", name: "side", value, checked: side === value, onchange: () => { side = value; draw(); } }), text))),
			side === "both" ? null : h("fieldset", {}, h("legend", {}, "Strength"),
				h("input", { type: "range", min: 0, max: game.levels.length - 1, value: level, "aria-label": "strength", "aria-valuetext": current.title,
					oninput: (event) => { level = Number(event.target.value); other = ""; localStorage.setItem("level", String(level)); const now = game.levels[level]; meaning.textContent = `${now.title}: ${now.meaning}`; agent.textContent = now.agent; event.target.setAttribute("aria-valuetext", now.title); } }),
				h("p", {}, meaning, " ", agent),
				h("details", {}, h("summary", {}, "Another agent"),
					h("label", {}, "its spec", h("input", { value: other, placeholder: current.agent, spellcheck: "false", list: "agents", oninput: (event) => { other = event.target.value.trim(); agent.textContent = other || game.levels[level].agent; } })),
					h("datalist", { id: "agents" }, game.agents.map((each) => h("option", { value: each.name }, each.about))),
					weights(game, (spec) => { other = spec; agent.textContent = spec; }), known.code ? ownCode((spec) => { other = spec; agent.textContent = spec; }) : null,
					h("ul", { class: "plain-list" }, game.agents.map((each) => h("li", {}, h("b", {}, each.name), `(${each.parameters.map((p) => (p.default === null ? p.name : `${p.name}=${p.default}`)).join(", ")}) ${each.about}`))))),
			h("details", {}, h("summary", {}, "Seed"), h("label", {}, "decides all chance; the same seed gives the same dice", h("input", { inputmode: "numeric", pattern: "[0-9]*", value: seed, oninput: (event) => { seed = event.target.value; } }))),
			h("p", {}, h("button", { class: "primary", type: "submit" }, "Begin")),
		);
	};
	form.addEventListener("submit", (event) => {
		event.preventDefault();
		const agent = other || game.levels[level].agent;
		const seats = { first: ["person", agent], second: [agent, "person"], both: ["person", "person"], none: [agent, agent] };
		begin({ game: game.spec, players: seats[/** @type {"first"} */ (side)], start, moves, seed: seed ? Number(seed) : null });
	});
	draw();
	put(main, form);
}

/** Sliders for the weights of an evaluation; the agent that plays by them goes to ``take``. @param {(spec: string) => void} take */
function weights(game, take) {
	const able = game.evaluations.filter((each) => Object.keys(each.weights).length);
	const search = game.agents.find((each) => each.name === "alphabeta") ? "alphabeta(depth=4, " : game.agents.find((each) => each.name === "expectimax") ? "expectimax(depth=2, " : "greedy(";
	if (!able.length) return null;
	const sliders = h("div", { class: "sliders" });
	const draw = (evaluation) => {
		/** @type {Record<string, number>} */
		const now = { ...evaluation.weights };
		const tell = () => {
			const changed = Object.entries(now).filter(([key, value]) => value !== evaluation.weights[key]).map(([key, value]) => `${key}=${value}`);
			take(`${search}eval=${evaluation.name}${changed.length ? `(${changed.join(", ")})` : ""})`);
		};
		const size = Math.max(1, ...Object.values(now).map((value) => Math.abs(Number(value))));
		put(sliders, Object.entries(now).map(([key, value]) => {
			const shown = h("output", {}, value);
			return h("label", { class: "slider" }, h("span", {}, key.replaceAll("_", " ")), h("input", { type: "range", min: -2 * size, max: 2 * size, step: size > 20 ? 1 : 0.1, value, oninput: (event) => { now[key] = Number(event.target.value); shown.textContent = event.target.value; tell(); } }), shown);
		}));
	};
	const names = h("select", { "aria-label": "evaluation", onchange: (event) => (event.target.value ? draw(able.find((each) => each.name === event.target.value)) : put(sliders)) },
		h("option", { value: "" }, "choose an evaluation"), able.map((each) => h("option", { value: each.name }, `${each.name}: ${each.about}`)));
	return h("details", {}, h("summary", {}, "Weights of its evaluation"), names, sliders);
}

/** A Python file of the visitor's own; only where the laboratory allows code. @param {(spec: string) => void} take */
function ownCode(take) {
	const text = h("textarea", { rows: 8, spellcheck: "false", "aria-label": "Python", placeholder: "def mine(game, p, player):\n    return 0.0" });
	const found = h("p", {});
	const bring = async () => {
		await attempt(async () => {
			const { things } = await ask("/api/code", { name: "mine.py", text: text.value });
			put(found, things.map((each) => [h("button", { type: "button", onclick: () => take(each.spec) }, `${each.name} as agent`), " ", h("button", { type: "button", onclick: () => take(`alphabeta(depth=4, eval=${each.spec})`) }, `${each.name} as evaluation`), " "]));
		});
	};
	const file = h("input", { type: "file", accept: ".py", "aria-label": "Python file", onchange: async (event) => { text.value = await event.target.files[0].text(); } });
	return h("details", {}, h("summary", {}, "Your own Python"), file, text, h("p", {}, h("button", { type: "button", onclick: bring }, "Bring it")), found);
}
