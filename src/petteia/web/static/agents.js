// @ts-check
// Opponents beyond those with names: any agent, other weights, Python of the visitor's own.

import { ask, playerBy } from "./api.js";
import { button, capital, folded, h, keep, para, put, recall, said, select } from "./dom.js";

/** @import { Evaluation, Game, Parameter } from "./messages.js" */

/** The arguments of a spec, as they are written. @param {string} spec @returns {[string, string][]} */
function argumentsOf(spec) {
	const inner = /\((.*)\)\s*$/s.exec(spec)?.[1] ?? "",
		parts = [""];
	let depth = 0;
	for (const letter of inner) {
		depth += Number(letter === "(") - Number(letter === ")");
		if (letter === "," && !depth) parts.push("");
		else parts[parts.length - 1] += letter;
	}
	return parts
		.map((part) => /^\s*(\w+)\s*=\s*(.*?)\s*$/s.exec(part))
		.flatMap((found) => (found ? [[found[1], found[2]]] : []));
}

/**
 * An agent from a list, with its parameters as fields and its spec, which can be copied or typed.
 * @param {string} label
 * @param {Game} game
 * @param {string} value
 * @param {{name?: string, placeholder?: string, take?: (spec: string) => void}} [how] ``name`` in a form
 */
export function agentPicker(label, game, value, { name, placeholder, take } = {}) {
	const spec = h("input", {
		"aria-label": label,
		name,
		value,
		placeholder,
		required: Boolean(name),
		spellcheck: "false",
		oninput: () => set(spec.value.trim()),
	});
	const levels = game.levels.map((each) => [each.agent, `${each.title}: ${each.agent}`]);
	const others = game.agents
		.filter((each) => !game.levels.some(({ agent }) => agent === each.name))
		.map((each) => [each.name, `${each.name}: ${each.about}`]);
	const list = select(
		`choose: ${label}`,
		[["", "choose …"], ...levels, ...others],
		value,
		(chosen) => chosen && set((spec.value = chosen)),
	);
	const fields = h("div.parameters");
	const settings = folded("Settings", fields);
	/** @param {string} text */
	const set = (text) => {
		draw();
		take?.(text);
	};
	const draw = () => {
		const called = spec.value.split("(")[0].trim(),
			agent = game.agents.find((each) => each.name === called);
		const known = new Map(argumentsOf(spec.value));
		const listed = [...levels, ...others].map(([each]) => each);
		list.value = [spec.value.trim(), called].find((each) => listed.includes(each)) ?? "";
		settings.hidden = !agent?.parameters.length;
		put(
			fields,
			agent?.parameters.map((each) =>
				field(game, each, known.get(each.name), (text) => {
					known.set(each.name, text);
					const given = [...known].filter(([, written]) => written !== "");
					const words = given.map(([key, written]) => `${key}=${written}`).join(", ");
					spec.value = words ? `${called}(${words})` : called;
					take?.(spec.value);
				}),
			) ?? [],
		);
	};
	draw();
	return h(
		"div.agent",
		h("label", capital(label), list),
		settings,
		h("label.spec", h("span", "as text"), spec),
	);
}

/**
 * A field for a parameter of an agent; empty, it is as usual.
 * @param {Game} game
 * @param {Parameter} parameter
 * @param {string | undefined} now
 * @param {(text: string) => void} take
 */
function field(game, { name, default: usual }, now = "", take) {
	const label = capital(name.replaceAll("_", " "));
	const flags = typeof usual === "boolean" ? ["true", "false"] : null;
	const words = name === "eval" ? game.evaluations.map((each) => each.name) : flags;
	if (words) {
		const all = [["", `as usual${flags ? `: ${usual}` : ""}`], ...words.map((each) => [each])];
		if (!words.includes(now) && now) all.push([now]);
		return h("label", label, select(label, all, now, take));
	}
	const oninput = (event) => take(event.target.value.trim());
	return h("label", label, h("input", { value: now, placeholder: usual ?? "", oninput }));
}

/**
 * Sliders for the weights of an evaluation; the agent that plays by them goes to ``take``.
 * @param {Game} game
 * @param {(spec: string) => void} take
 */
export function weights(game, take) {
	const able = game.evaluations.filter((each) => Object.keys(each.weights).length);
	if (!able.length) return null;
	const sliders = h("div.sliders");
	const draw = (/** @type {Evaluation} */ evaluation) => {
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
export function ownCode(game, take) {
	const text = h(
		"textarea",
		{
			rows: 10,
			spellcheck: "false",
			"aria-label": "Python",
			placeholder: "def mine(game, p, player):\n    return 0.0",
			oninput: () => keep("code", game.name, text.value),
		},
		recall("code", game.name) ?? "",
	);
	const found = h("p", { role: "status" });
	let tries = 0;
	const bring = async () => {
		const mine = ++tries;
		put(found, h("span.wait", "Trying it …"));
		try {
			const { things } = await ask("/api/code", { game: game.spec, text: text.value });
			if (mine !== tries) return; // a newer text is being tried
			put(
				found,
				"It works. ",
				things
					.map((each) => [button(`Play against ${each.name}`, () => take(each.spec)), " "])
					.flat(),
			);
			take(things[0].spec);
		} catch (error) {
			if (mine === tries) put(found, h("span.bad", capital(said(error))));
		}
	};
	const file = h("input", {
		type: "file",
		accept: ".py",
		"aria-label": "Python file",
		onchange: async (event) => {
			text.value = await event.target.files[0].text();
			keep("code", game.name, text.value);
		},
	});
	const box = folded("Your own Python", file, text, para(button("Try it", bring)), found);
	box.open = text.value !== "";
	return box;
}
