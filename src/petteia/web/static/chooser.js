// @ts-check
// The page that asks who plays against whom.

import { address, game as findGame, games } from "./api.js";
import { agentPicker, ownCode, weights } from "./agents.js";
import { TERMS } from "./clock.js";
import { attempt, capital, eloText, folded, h, keep, note, para, put, select } from "./dom.js";
import { begin, usualLevel } from "./home.js";

/** @import { Game, Parameter } from "./messages.js" */

/** The page that asks who plays, and how strong. @param {HTMLElement} main @param {URLSearchParams} given */
export async function chooser(main, given) {
	const known = await games();
	let game = await findGame(given.get("game") || known.games[0].spec);
	const start = given.get("start") || "start";
	const moves = (given.get("moves") || "").split(" ").filter(Boolean);
	const form = h("form.page.chooser");
	/** @type {keyof typeof SEATS} */
	let side = "first";
	let level = usualLevel(game),
		other = given.get("agent") || "",
		seed = "",
		terms = "";
	/** The last change of the game: until it has come, nothing begins. @type {Promise<void>} */
	let changing = Promise.resolve();
	/** Another game or variant. @param {string} spec */
	const change = (spec) => {
		const before = changing;
		changing = attempt(async () => {
			const found = await findGame(spec);
			await before; // the last one that was asked for counts
			game = found;
			level = usualLevel(game);
			draw();
		});
	};

	/** The opponent: one of those with names, or any agent. */
	const opponent = () => {
		const chosen = h("p.quiet", { hidden: !other }, "Your choice: ", h("code", other));
		/** An agent by its spec; none, the one of this level. @param {string} spec */
		const take = (spec) => {
			other = spec;
			put(chosen, "Your choice: ", h("code", spec));
			chosen.hidden = !spec;
		};
		const rows = game.levels.map((each, i) =>
			h(
				"label.level",
				h("input", {
					type: "radio",
					name: "level",
					checked: i === level,
					onchange: () => {
						level = i;
						keep("levels", game.name, i);
						take("");
					},
				}),
				h("b", each.title),
				h("span.elo", eloText(each.strength)),
				h("span.meaning", each.meaning),
			),
		);
		const measured = game.levels.some((each) => each.strength);
		return h(
			"fieldset.levels",
			h("legend", "Opponent"),
			rows,
			measured &&
				note(
					`Elo above ${game.levels[0].title}, with its 95 % interval: measured in games that the `,
					"opponents played against each other.",
				),
			chosen,
			folded(
				"Advanced",
				agentPicker("any agent", game, other, {
					placeholder: game.levels[level].agent,
					take,
				}),
				weights(game, take),
				known.code && ownCode(game, take),
			),
		);
	};

	const draw = () => {
		const against = opponent();
		const clock = h(
			"label",
			"Clock",
			select("Clock", TERMS, terms, (value) => (terms = value)),
		);
		const suit = () => {
			against.hidden = side === "both";
			clock.hidden = side !== "both";
		};
		suit();
		put(
			form,
			h("h1", game.title),
			para(game.about),
			h(
				"div",
				sides(
					game,
					side,
					(value) => {
						side = value;
						suit();
					},
					clock,
				),
				h("button.primary", "Begin"),
			),
			against,
			h(
				"fieldset",
				h("legend", "Rules"),
				variants(game, change),
				para(h("a", { href: address("rules", { game: game.spec }) }, "How it is played")),
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
						oninput: (event) => (seed = event.target.value),
					}),
				),
			),
		);
	};
	form.addEventListener("submit", async (/** @type {Event} */ event) => {
		event.preventDefault();
		await changing;
		begin({
			game: game.spec,
			players: SEATS[side](other || game.levels[level].agent),
			start,
			moves,
			seed: seed ? Number(seed) : null,
			clock: side === "both" && terms ? agreed(terms) : null,
		});
	});
	draw();
	put(main, form);
}

/** The terms of a clock. @param {string} terms @returns {[number, number]} */
function agreed(terms) {
	const [seconds, increment] = terms.split(" ").map(Number);
	return [seconds, increment];
}

/** The players of a game against an agent, by what the visitor plays. */
const SEATS = {
	first: /** @returns {[string, string]} */ (/** @type {string} */ agent) => ["person", agent],
	second: /** @returns {[string, string]} */ (/** @type {string} */ agent) => [agent, "person"],
	both: /** @returns {[string, string]} */ () => ["person", "person"],
	none: /** @returns {[string, string]} */ (/** @type {string} */ agent) => [agent, agent],
};

/** Variants to choose, or parameters to set. @param {Game} game @param {(spec: string) => void} change */
function variants(game, change) {
	// Where the variants are the words of one parameter, its field is enough.
	const isField = game.parameters.some(
		({ choices }) => (choices?.length ?? 0) > game.variants.length,
	);
	const options = isField ? [] : game.variants.map((each) => [each.spec, each.name]);
	/** @type {Record<string, any>} */
	const now = Object.fromEntries(game.parameters.map((each) => [each.name, each.value]));
	const set = (/** @type {string} */ name, /** @type {any} */ value) => {
		now[name] = value;
		const given = game.parameters
			.filter((each) => now[each.name] !== each.default)
			.map((each) => `${each.name}=${now[each.name]}`);
		change(given.length ? `${game.name}(${given.join(", ")})` : game.name);
	};
	return h(
		"div.parameters",
		options.length
			? h(
					"label",
					"Variant",
					select("Variant", [[game.name, game.title], ...options], game.spec, change),
				)
			: null,
		game.parameters.map((each) => parameter(each, (value) => set(each.name, value))),
	);
}

/**
 * A field for a parameter of a game.
 * @param {Parameter} parameter
 * @param {(value: string | number | boolean) => void} set
 */
function parameter({ name, label = name, choices, default: usual, value }, set) {
	if (choices) {
		const all = choices.map((each) => [each, capital(each)]);
		return h("label", label, select(label, all, String(value), set));
	}
	if (typeof usual === "boolean") {
		const onchange = (event) => set(event.target.checked);
		const box = h("input", { type: "checkbox", checked: value === true, onchange });
		return h("label.choice-row", box, label);
	}
	const isNumber = typeof usual === "number";
	const onchange = ({ target }) => set(isNumber ? Number(target.value) : target.value);
	return h(
		"label",
		label,
		h("input", { type: isNumber ? "number" : "text", min: 0, value: value ?? "", onchange }),
	);
}

/**
 * The side that the visitor plays.
 * @param {Game} game
 * @param {keyof typeof SEATS} side
 * @param {(side: keyof typeof SEATS) => void} choose
 * @param {HTMLElement} clock for two people
 */
function sides(game, side, choose, clock) {
	const [first, second] = game.names.map(
		(name, i) => `${capital(name)}${game.start.mover === i ? ", who begins" : ""}`,
	);
	/** @type {[keyof typeof SEATS, string][]} */
	const known = [
		["first", first],
		["second", second],
		["both", "Both: two people, here or at two screens"],
		["none", "Nobody: watch two agents"],
	];
	const rows = known.map(([value, text]) => {
		const checked = side === value;
		const onchange = () => choose(value);
		const choice = h("input", { type: "radio", name: "side", value, checked, onchange });
		return h("label.choice-row", choice, text);
	});
	return h("fieldset", h("legend", "You play"), rows, clock);
}
