// @ts-check
// Positions and games as text and pictures: to copy, to save, to paste.

import { ask } from "./api.js";
import { attempt, button, copy, dialog, download, h, para, table } from "./dom.js";

/** @typedef {{game: string, start: string, moves: string[]}} Line */

/** Every form of a line. @param {Line & {players?: string[]}} line @param {string} link @param {...any} more what the page adds */
export async function shareDialog(line, link, ...more) {
	const { positions, games } = await ask("/api/texts", line);
	const picture = async () =>
		download(
			"position.svg",
			new Blob(
				[await ask("/api/picture", { game: line.game, start: line.start, moves: line.moves })],
				{ type: "image/svg+xml" },
			),
		);
	const copier = (name, text) =>
		button("Copy", () => copy(text, name), "", { "aria-label": `copy the ${name}` });
	const saver = (name, onclick) =>
		button("Save", onclick, "", { "aria-label": `save the ${name}` });
	const save = (form) =>
		download(`game${form.suffix}`, new Blob([form.text], { type: "text/plain" }));
	const rows = [
		["link to the position", copier("link", location.href.split("#")[0] + link), ""],
		...positions.map((form) => [form.name, copier(form.name, form.text), ""]),
		["moves", copier("moves", line.moves.join(" ")), ""],
		...games.map((form) => [
			form.name === "record" ? "game, our record" : `game as ${form.name}`,
			copier(form.name, form.text),
			saver(form.name, () => save(form)),
		]),
		["picture, SVG", "", saver("picture", picture)],
	];
	return dialog("Share and save", ...more, table([], rows, "forms"));
}

/** Asks for a position, moves or games as text. @param {string} game @param {string} example @param {(meant: any) => any} take */
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
		para("In any notation of the game; games also in the files that others keep them in."),
		text,
		h("label.choice-row", "game", number, "where the text holds several"),
		para(button("Show", read, "primary")),
	);
}
