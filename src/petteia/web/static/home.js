// @ts-check
// The first page: every game one click away, and what was played before.

import { address, ask, game as findGame, games, playerBy } from "./api.js";
import { Board, colours } from "./board.js";
import { attempt, button, capital, folded, h, para, put, select } from "./dom.js";

/** The strength that the visitor chose last. */
function usualLevel(game) {
	const level = Number(localStorage.getItem("level") ?? 2);
	return Math.min(game.levels.length - 1, Math.max(0, level));
}

/** Begins a game and goes to its table. */
export async function begin(options) {
	await attempt(async () => {
		const table = await ask("/api/tables", options);
		location.hash = `#/table/${table.id}`;
	});
}

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

function flowCard() {
	return h(
		"article.card",
		h("div.card-board", h("img", { src: "/static/flow.svg", alt: "" })),
		h("h2", "Flow"),
		para(
			"Join equal letters by pipes that fill every cell. Hints tell their reasons, and solvers can be watched.",
		),
		h("p.card-tools", h("a.button.primary", { href: "#/flow", "aria-label": "Play Flow" }, "Play")),
	);
}

export async function home(main) {
	const [known, before] = await Promise.all([games(), ask("/api/tables")]);
	put(
		main,
		h(
			"div.page",
			h("h1.unseen", "Play"),
			h("div.cards", known.games.map(card), flowCard()),
			before.tables.length ? recent(before.tables) : null,
		),
	);
}

function recent(tables) {
	const rows = tables.map((table) => {
		const row = h(
			"li",
			{},
			h("a", { href: `#/table/${table.id}` }, capital(table.game.split("(")[0])),
			` ${table.players.join(" – ")} · ${table.plies} moves · ${table.status} `,
			button(
				"forget",
				async () => {
					await ask(`/api/tables/${table.id}`, undefined, "DELETE");
					row.remove();
				},
				"link",
				{ "aria-label": `forget this game of ${table.game}` },
			),
		);
		return row;
	});
	return h("section.recent", h("h2", "Your games"), h("ul", rows));
}

/** The page that asks who plays, and how strong. @param {HTMLElement} main @param {URLSearchParams} given */
export async function chooser(main, given) {
	const known = await games();
	let game = await findGame(given.get("game") || known.games[0].spec);
	const start = given.get("start") || "start";
	const moves = (given.get("moves") || "").split(" ").filter(Boolean);
	const form = h("form.page.narrow");
	let side = "first",
		level = usualLevel(game),
		other = given.get("agent") || "",
		seed = "";
	/** Another game or variant. @param {string} spec */
	const change = (spec) =>
		attempt(async () => {
			game = await findGame(spec);
			level = usualLevel(game);
			draw();
		});

	const draw = () => {
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
		put(
			form,
			h("h1", `A game of ${game.title}`),
			para(game.about),
			h(
				"label",
				"Variant",
				select(
					"Variant",
					[[game.name, game.title], ...game.variants.map((each) => [each.spec, each.name])],
					game.spec,
					change,
				),
			),
			game.parameters.length
				? h(
						"label",
						`or with parameters: ${game.parameters.map((each) => `${each.name}=${each.default}`).join(", ")}`,
						h("input", {
							value: game.spec,
							spellcheck: "false",
							"aria-label": "game with parameters",
							onchange: (event) => change(event.target.value),
						}),
					)
				: null,
			h(
				"fieldset",
				h("legend", "You play"),
				[
					...["first", "second"].map((value, i) => [
						value,
						`${capital(game.names[i])}${game.start.mover === i ? ", who begins" : ""}`,
					]),
					["both", "both sides at one screen, or invite somebody"],
					["none", "nobody: watch two agents"],
				].map(([value, text]) =>
					h(
						"label.choice-row",
						h("input", {
							type: "radio",
							name: "side",
							value,
							checked: side === value,
							onchange: () => {
								side = value;
								draw();
							},
						}),
						text,
					),
				),
			),
			side === "both"
				? null
				: h(
						"fieldset",
						h("legend", "Strength"),
						strength,
						para(meaning),
						folded(
							"Another agent",
							h(
								"label",
								"its name and settings",
								h("input", {
									value: other,
									placeholder: game.levels[level].agent,
									spellcheck: "false",
									list: "agents",
									oninput: (event) => take(event.target.value.trim()),
								}),
							),
							h(
								"datalist",
								{ id: "agents" },
								game.agents.map((each) =>
									h(
										"option",
										{ value: each.name },
										`${each.about}; ${each.parameters.map((p) => p.name).join(", ")}`,
									),
								),
							),
							weights(game, take),
							known.code && ownCode(game, take),
						),
					),
			folded(
				"Seed",
				h(
					"label",
					"decides all chance; the same seed gives the same dice",
					h("input", {
						inputmode: "numeric",
						pattern: "[0-9]*",
						value: seed,
						oninput: (event) => {
							seed = event.target.value;
						},
					}),
				),
			),
			para(h("button.primary", "Begin")),
		);
	};
	form.addEventListener("submit", (event) => {
		event.preventDefault();
		const agent = other || game.levels[level].agent;
		const seats = {
			first: ["person", agent],
			second: [agent, "person"],
			both: ["person", "person"],
			none: [agent, agent],
		};
		begin({
			game: game.spec,
			players: seats[/** @type {"first"} */ (side)],
			start,
			moves,
			seed: seed ? Number(seed) : null,
		});
	});
	draw();
	put(main, form);
}

/** Sliders for the weights of an evaluation; the agent that plays by them goes to ``take``. @param {(spec: string) => void} take */
function weights(game, take) {
	const able = game.evaluations.filter((each) => Object.keys(each.weights).length);
	if (!able.length) return null;
	const sliders = h("div.sliders");
	const draw = (evaluation) => {
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
		(name) => (name ? draw(able.find((each) => each.name === name)) : put(sliders)),
	);
	return folded("Weights of its evaluation", names, sliders);
}

/** A Python file of the visitor's own; only where the laboratory allows code. @param {(spec: string) => void} take */
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
		onchange: async (event) => {
			text.value = await event.target.files[0].text();
		},
	});
	return folded("Your own Python", file, text, para(button("Bring it", bring)), found);
}
