// @ts-check
// Positions and games as text and pictures: to copy, to save, to paste.

import { ask } from "./api.js";
import { attempt, button, copy, dialog, download, h, para, table } from "./dom.js";

/** @typedef {Required<import("./messages.js").LineRequest>} Line */

/**
 * Every form of a line.
 * @param {Line & {players?: [string, string]}} line
 * @param {string} link
 * @param {...any} more what the page adds
 */
export async function shareDialog(line, link, ...more) {
	const { game, start, moves } = line;
	const { positions, games } = await ask("/api/texts", line);
	const picture = async () => {
		const drawn = await ask("/api/picture", { game, start, moves });
		download("position.svg", new Blob([drawn], { type: "image/svg+xml" }));
	};
	const copier = (/** @type {string} */ name, /** @type {string} */ text) =>
		button("Copy", () => copy(text, name), "", { "aria-label": `copy the ${name}` });
	const saver = (/** @type {string} */ name, /** @type {() => void} */ onclick) =>
		button("Save", onclick, "", { "aria-label": `save the ${name}` });
	const save = (/** @type {import("./messages.js").GameForm} */ form) =>
		download(`game${form.suffix}`, new Blob([form.text], { type: "text/plain" }));
	const rows = [
		["link to the position", copier("link", location.href.split("#")[0] + link), ""],
		...positions.map((form) => [form.name, copier(form.name, form.text), ""]),
		["moves", copier("moves", moves.join(" ")), ""],
		...games.map((form) => [
			form.name === "record" ? "game, our record" : `game as ${form.name}`,
			copier(form.name, form.text),
			saver(form.name, () => save(form)),
		]),
		["picture, SVG", "", saver("picture", picture)],
	];
	return dialog("Share and save", ...more, table([], rows, "forms"));
}

/**
 * Asks for a position, moves or games as text.
 * @param {string} game
 * @param {string} example
 * @param {(meant: import("./messages.js").Meant) => any} take
 */
export function pasteDialog(game, example, take) {
	const text = h("textarea", {
		rows: 6,
		"aria-label": "position, moves or game",
		placeholder: example,
	});
	const number = h("input", {
		type: "number",
		min: 1,
		value: 1,
		"aria-label": "which game, where there are several",
	});
	const read = () =>
		attempt(async () => {
			const meant = await ask("/api/read", {
				game,
				text: text.value || example,
				number: Number(number.value),
			});
			box.close();
			await take(meant);
		});
	const box = dialog(
		"A position, moves, or a whole game",
		para("In any notation of the game. Games can also be pasted from other programs' files."),
		text,
		h("label.choice-row", "game", number, "where the text holds several"),
		para(button("Show", read, "primary")),
	);
}
