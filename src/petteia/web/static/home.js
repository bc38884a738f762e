// @ts-check
// The first page: every game one click away, and what was played before.

import { address, ask, game as findGame, games, playerBy, playerName, puzzles } from "./api.js";
import { Board, colours } from "./board.js";
import { attempt, button, capital, folded, h, para, put, select } from "./dom.js";
import { canSearch } from "./search.js";

/** @typedef {import("./messages.js").Game} Game */

/** The strength that the visitor chose last. @param {Game} game */
function usualLevel(game) {
	const level = Number(localStorage.getItem("level") ?? 2);
	return Math.min(game.levels.length - 1, Math.max(0, level));
}

/** Begins a game and goes to its table. @param {import("./messages.js").NewTable} options */
export async function begin(options) {
	await attempt(async () => {
		const table = await ask("/api/tables", { ...options, searches: canSearch });
		location.hash = `#/table/${table.id}`;
	});
}

/** A game that can be played at once. @param {Game} game */
function card(game) {
	const board = new Board({ names: game.names, still: true });
	board.show({ ...game.start, kind: "decision", text: "" }, {});
	board.asPicture();
	const level = game.levels[usualLevel(game)];
	const play = button(
		"Play",
		() => begin({ game: game.spec, players: ["person", level.agent] }),
		"primary",
		{ "aria-label": `Play ${game.title}` },
	);
	return h(
		"article.card",
		{ ...colours(game.names) },
		h("div.card-board", board.element),
		h("h2", game.title),
		para(game.about),
		h(
			"p.card-tools",
			play,
			h("a.button", { href: address("new", { game: game.spec }) }, "Choose opponent"),
			h("a.quiet", { href: address("analyse", { game: game.spec }) }, "Analyse"),
		),
	);
}

/** A puzzle. @param {import("./messages.js").Puzzle} puzzle */
function puzzleCard({ name, title, about }) {
	return h(
		"article.card",
		h("div.card-board", h("img", { src: `/static/puzzles/${name}/picture.svg`, alt: "" })),
		h("h2", title),
		para(about),
		h(
			"p.card-tools",
			h("a.button.primary", { href: `#/${name}`, "aria-label": `Play ${title}` }, "Play"),
		),
	);
}

/** The first page. @param {HTMLElement} main */
export async function home(main) {
	const [known, listed, before] = await Promise.all([games(), puzzles(), ask("/api/tables")]);
	put(
		main,
		h(
			"div.page",
			h("h1.unseen", "Play"),
			h("div.cards", known.games.map(card), listed.map(puzzleCard)),
			before.tables.length ? recent(before.tables, known.games) : null,
		),
	);
}

/**
 * Games that were played before.
 * @param {import("./messages.js").Listed[]} tables
 * @param {Game[]} known
 */
function recent(tables, known) {
	const rows = tables.map((table) => {
		const name = table.game.split("(")[0],
			game = known.find((each) => each.name === name);
		const variant = game?.variants.find((each) => each.spec === table.game)?.name;
		const title = `${game?.title ?? name} ${variant ?? table.game.slice(name.length)}`.trim();
		const players = table.players.map((who) => playerName(game, who));
		const row = h(
			"li",
			{},
			h("a", { href: `#/table/${table.id}` }, title),
			` ${players.join(" – ")} · ${table.plies} moves · ${table.status} `,
			button(
				"forget",
				async () => {
					await ask(`/api/tables/${table.id}`, undefined, "DELETE");
					row.remove();
				},
				"link",
				{ "aria-label": `forget this game: ${title}` },
			),
		);
		return row;
	});
	return h("section.recent", h("h2", "Your games"), h("ul", rows));
}

/**
 * The page that asks who plays, and how strong.
 * @param {HTMLElement} main
 * @param {URLSearchParams} given
 */
export async function chooser(main, given) {
	const known = await games();
	let game = await findGame(given.get("game") || known.games[0].spec);
	const start = given.get("start") || "start";
	const moves = (given.get("moves") || "").split(" ").filter(Boolean);
	const form = h("form.page.narrow");
	/** @type {keyof typeof SEATS} */
	let side = "first";
	let level = usualLevel(game),
		other = given.get("agent") || "",
		seed = "";
	/** Another game or variant. @param {string} spec */
	const change = (spec) =>
		attempt(async () => {
			game = await findGame(spec);
			level = usualLevel(game);
			draw();
		});

	/** The strength of the opponent, as a level or as any agent. */
	const opponent = () => {
		const meaning = h("output");
		/** An agent by its spec; none, the one of this strength. @param {string} spec */
		const take = (spec) => {
			other = spec;
			const { title, meaning: words, agent } = game.levels[level];
			put(meaning, spec ? "Your choice: " : `${title}: ${words} `, h("code", spec || agent));
			strength.ariaValueText = title;
		};
		const strength = h("input", {
			type: "range",
			min: 0,
			max: game.levels.length - 1,
			value: level,
			"aria-label": "strength",
			oninput: () => {
				level = Number(strength.value);
				localStorage.setItem("level", String(level));
				take("");
			},
		});
		take(other);
		return h(
			"fieldset",
			h("legend", "Strength"),
			strength,
			para(meaning),
			folded(
				"Another agent",
				agentField(game, other, game.levels[level].agent, take),
				weights(game, take),
				known.code && ownCode(game, take),
			),
		);
	};

	const draw = () => {
		const against = opponent();
		against.hidden = side === "both";
		put(
			form,
			h("h1", game.title),
			para(game.about),
			variants(game, change),
			sides(game, side, (value) => {
				side = value;
				against.hidden = side === "both";
			}),
			against,
			folded(
				"Seed",
				h(
					"label",
					"decides all chance; the same seed gives the same dice",
					h("input", {
						inputmode: "numeric",
						pattern: "[0-9]*",
						value: seed,
						oninput: (/** @type {any} */ event) => (seed = event.target.value),
					}),
				),
			),
			para(h("button.primary", "Begin")),
		);
	};
	form.addEventListener("submit", (/** @type {Event} */ event) => {
		event.preventDefault();
		begin({
			game: game.spec,
			players: SEATS[side](other || game.levels[level].agent),
			start,
			moves,
			seed: seed ? Number(seed) : null,
		});
	});
	draw();
	put(main, form);
}

/** The players of a game against an agent, by what the visitor plays. */
const SEATS = {
	first: /** @returns {[string, string]} */ (/** @type {string} */ agent) => ["person", agent],
	second: /** @returns {[string, string]} */ (/** @type {string} */ agent) => [agent, "person"],
	both: /** @returns {[string, string]} */ () => ["person", "person"],
	none: /** @returns {[string, string]} */ (/** @type {string} */ agent) => [agent, agent],
};

/**
 * Variants to choose, or parameters to set.
 * @param {Game} game
 * @param {(spec: string) => void} change
 */
function variants(game, change) {
	const options = game.variants.map((each) => [each.spec, each.name]);
	// Nothing means what the rules say, which its sign does not.
	const defaults = game.parameters
		.map(({ name, default: usual }) => (usual ? `${name}=${usual}` : name))
		.join(", ");
	return [
		h(
			"label",
			"Variant",
			select("Variant", [[game.name, game.title], ...options], game.spec, change),
		),
		defaults &&
			h(
				"label",
				`or with parameters: ${defaults}`,
				h("input", {
					value: game.spec,
					spellcheck: "false",
					"aria-label": "game with parameters",
					onchange: (/** @type {any} */ event) => change(event.target.value),
				}),
			),
	];
}

/**
 * The side that the visitor plays.
 * @param {Game} game
 * @param {keyof typeof SEATS} side
 * @param {(side: keyof typeof SEATS) => void} choose
 */
function sides(game, side, choose) {
	const [first, second] = game.names.map(
		(name, i) => `${capital(name)}${game.start.mover === i ? ", who begins" : ""}`,
	);
	/** @type {[keyof typeof SEATS, string][]} */
	const known = [
		["first", first],
		["second", second],
		["both", "both sides at one screen, or invite somebody"],
		["none", "nobody: watch two agents"],
	];
	const rows = known.map(([value, text]) => {
		const checked = side === value;
		const onchange = () => choose(value);
		const choice = h("input", { type: "radio", name: "side", value, checked, onchange });
		return h("label.choice-row", choice, text);
	});
	return h("fieldset", h("legend", "You play"), rows);
}

/**
 * A field for any agent, with those of the game as proposals.
 * @param {Game} game
 * @param {string} value
 * @param {string} placeholder
 * @param {(spec: string) => void} take
 */
function agentField(game, value, placeholder, take) {
	const oninput = (/** @type {any} */ event) => take(event.target.value.trim());
	return [
		h(
			"label",
			"its name and settings",
			h("input", { value, placeholder, spellcheck: "false", list: "agents", oninput }),
		),
		h(
			"datalist",
			{ id: "agents" },
			game.agents.map(({ name, about, parameters }) =>
				h("option", { value: name }, `${about}; ${parameters.map((p) => p.name).join(", ")}`),
			),
		),
	];
}

/**
 * Sliders for the weights of an evaluation; the agent that plays by them goes to ``take``.
 * @param {Game} game
 * @param {(spec: string) => void} take
 */
function weights(game, take) {
	const able = game.evaluations.filter((each) => Object.keys(each.weights).length);
	if (!able.length) return null;
	const sliders = h("div.sliders");
	const draw = (/** @type {import("./messages.js").Evaluation} */ evaluation) => {
		/** @type {Record<string, number>} */
		const now = { ...evaluation.weights };
		const tell = () => {
			const changed = Object.entries(now)
				.filter(([key, value]) => value !== evaluation.weights[key])
				.map(([key, value]) => `${key}=${value}`);
			take(playerBy(game, `${evaluation.name}${changed.length ? `(${changed.join(", ")})` : ""}`));
		};
		const size = Math.max(...Object.values(now).map(Math.abs)) || 1;
		put(
			sliders,
			Object.entries(now).map(([key, value]) => {
				const shown = h("output", value);
				const reach = 3 * (Math.abs(value) || size),
					step = 10 ** Math.floor(Math.log10(reach / 50));
				// A slider has no value between its steps; where it begins is told as it is.
				const slider = h("input", {
					type: "range",
					min: -Math.ceil(reach / step) * step,
					max: Math.ceil(reach / step) * step,
					step,
					value,
					oninput: () => {
						now[key] = Number(slider.value);
						shown.textContent = slider.value;
						tell();
					},
				});
				return h("label.slider", h("span", key.replaceAll("_", " ")), slider, shown);
			}),
		);
		tell();
	};
	const names = select(
		"evaluation",
		[
			["", "choose an evaluation"],
			...able.map((each) => [each.name, `${each.name}: ${each.about}`]),
		],
		"",
		(name) => {
			const found = able.find((each) => each.name === name);
			if (found) draw(found);
			else put(sliders);
		},
	);
	return folded("Weights of its evaluation", names, sliders);
}

/**
 * A Python file of the visitor's own; only where the laboratory allows code.
 * @param {Game} game
 * @param {(spec: string) => void} take
 */
function ownCode(game, take) {
	const text = h("textarea", {
		rows: 8,
		spellcheck: "false",
		"aria-label": "Python",
		placeholder: "def mine(game, p, player):\n    return 0.0",
	});
	const found = para();
	const bring = () =>
		attempt(async () => {
			const { things } = await ask("/api/code", { name: "mine.py", text: text.value });
			put(
				found,
				things.flatMap((each) => [
					button(`${each.name} as agent`, () => take(each.spec)),
					" ",
					button(`${each.name} as evaluation`, () => take(playerBy(game, each.spec))),
					" ",
				]),
			);
		});
	const file = h("input", {
		type: "file",
		accept: ".py",
		"aria-label": "Python file",
		onchange: async (/** @type {any} */ event) => {
			text.value = await event.target.files[0].text();
		},
	});
	return folded("Your own Python", file, text, para(button("Bring it", bring)), found);
}
