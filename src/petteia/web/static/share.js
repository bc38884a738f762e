// @ts-check
// Positions and games as text and pictures: to copy, to save, to paste.

import { ask, games } from "./api.js";
import {
	attempt,
	button,
	capital,
	copy,
	dialog,
	download,
	h,
	note,
	para,
	put,
	table,
} from "./dom.js";

/**
 * @import { GameForm, LineRequest, Meant, PictureRequest } from "./messages.js"
 * @typedef {Required<LineRequest>} Line
 */

const WIDE = 600; // pixels of a picture's longer side
const MOST_FRAMES = 300;
const [A_MOVE, THE_END] = [80, 300]; // how long a moving picture shows them, in hundredths of a second

/** A picture as the server draws it, loaded. @param {string} text */
async function loaded(text) {
	const picture = new Image(),
		place = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
	picture.src = place;
	await picture.decode();
	URL.revokeObjectURL(place);
	return picture;
}

/**
 * A place to draw pictures one after the other: as wide as the widest, as high as the highest.
 * @param {HTMLImageElement[]} pictures
 */
function canvas(pictures) {
	const longest = Math.max(...pictures.flatMap(({ width, height }) => [width, height]));
	const scale = WIDE / longest;
	const drawn = h("canvas", {
		width: Math.round(scale * Math.max(...pictures.map(({ width }) => width))),
		height: Math.round(scale * Math.max(...pictures.map(({ height }) => height))),
	});
	const pen = drawn.getContext("2d", { willReadFrequently: true });
	return {
		/** @param {HTMLImageElement} picture */
		draw: (picture) => {
			// What does not cover all stands on its own ground.
			pen.drawImage(picture, 0, 0, 1, 1, 0, 0, drawn.width, drawn.height);
			pen.fillStyle = getComputedStyle(document.body).backgroundColor;
			pen.fillRect(0, 0, drawn.width, drawn.height);
			pen.drawImage(picture, 0, 0, scale * picture.width, scale * picture.height);
			return pen.getImageData(0, 0, drawn.width, drawn.height);
		},
		/** @returns {Promise<Blob>} */
		png: () => new Promise((done) => drawn.toBlob(done, "image/png")),
	};
}

/** A game as a moving picture. @param {PictureRequest} line @param {(done: number) => void} tell how far it is */
async function moving(line, tell) {
	const { gif } = await import("./gif.js"),
		moves = line.moves ?? [];
	const from = Math.max(0, moves.length + 1 - MOST_FRAMES); // of a very long game, its end
	const pictures = [];
	for (let at = from; at <= moves.length; at++) {
		const text = await ask("/api/picture", { ...line, moves: moves.slice(0, at) });
		pictures.push(await loaded(text));
		tell((at - from) / (moves.length + 1 - from));
	}
	const paper = canvas(pictures),
		last = pictures.length - 1;
	return gif(
		pictures.map((picture) => paper.draw(picture)),
		pictures.map((_, i) => (i === last ? THE_END : A_MOVE)),
	);
}

/**
 * Every form of a line.
 * @param {Line & {players?: [string, string]}} line
 * @param {string} link
 * @param {boolean} flip whether pictures show it from the other side
 * @param {...any} more what the page adds
 */
export async function shareDialog(line, link, flip, ...more) {
	const { game, start, moves } = line,
		drawn = { game, start, moves, flip };
	const { positions, games } = await ask("/api/texts", line);
	const picture = () => ask("/api/picture", drawn);
	const svg = async () =>
		download("position.svg", new Blob([await picture()], { type: "image/svg+xml" }));
	const png = async () => {
		const found = await loaded(await picture()),
			paper = canvas([found]);
		paper.draw(found);
		download("position.png", await paper.png());
	};
	const working = h("p.facts", { role: "status" });
	const film = async () => {
		const tell = (/** @type {number} */ done) =>
			put(working, `Drawing the game: ${Math.round(100 * done)} %`);
		tell(0);
		download("game.gif", await moving(drawn, tell));
		put(working, "The moving picture is saved.");
	};
	const copier = (/** @type {string} */ name, /** @type {string} */ text) =>
		button("Copy", () => copy(text, name), "", { "aria-label": `copy the ${name}` });
	const saver = (/** @type {string} */ name, /** @type {() => any} */ save, text = "Save") =>
		button(text, () => attempt(async () => save()), "", { "aria-label": `save the ${name}` });
	const save = (/** @type {GameForm} */ form) =>
		download(`game${form.suffix}`, new Blob([form.text], { type: "text/plain" }));
	const rows = [
		["link to the position", copier("link", whole(link)), codeButton(link)],
		...positions.map((form) => [form.name, copier(form.name, form.text), ""]),
		["moves", copier("moves", moves.join(" ")), ""],
		...games.map((form) => [
			form.name === "record" ? "game, our record" : `game as ${form.name}`,
			copier(form.name, form.text),
			saver(form.name, () => save(form)),
		]),
		["picture", saver("picture as PNG", png, "PNG"), saver("picture as SVG", svg, "SVG")],
		moves.length ? ["game as a moving picture", saver("game as GIF", film, "GIF"), ""] : null,
	];
	return dialog("Share and save", ...more, table([], rows, "forms"), working);
}

/** An address of this page in full. @param {string} link what stands after the "#", with it */
const whole = (link) => location.href.split("#")[0] + link;

const codeButton = (/** @type {string} */ link) =>
	button("QR code", () => attempt(() => codeDialog(link)), "", {
		"aria-label": "show the link as a QR code",
	});

/** The address at which others find this page; empty if only this computer can open it. */
async function addressForOthers() {
	const { addresses } = await games();
	const isOwn = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
	return isOwn ? (addresses[0] ?? "") : location.href.split("#")[0];
}

const HOW_OTHERS_COME = "For others, start the laboratory with --host 0.0.0.0 --token SECRET.";

/** Shows a link as a code that phones read, under an address at which others find this page. @param {string} link */
async function codeDialog(link) {
	const base = await addressForOthers();
	if (!base)
		return dialog("QR code", para("Only this computer can open the page."), note(HOW_OTHERS_COME));
	const shown = base + link;
	return dialog(
		"QR code",
		h("img.code", { src: `/api/qr.svg?text=${encodeURIComponent(shown)}`, alt: "QR code" }),
		para(h("code", shown)),
		para(button("Copy the link", () => copy(shown, "link"))),
	);
}

/**
 * Ways to play with others: at this table, or everybody at one of their own.
 * @param {{seat: (() => Promise<any>) | null, seatName: string, own: string}} how ``seat`` frees the other seat, ``own`` is where a game of one's own begins
 */
export async function inviteDialog({ seat, seatName, own }) {
	const base = await addressForOthers();
	const here = location.hash.split("?")[0];
	const links = (/** @type {string} */ link, /** @type {string} */ name) =>
		h(
			"p.card-tools",
			button("Copy the link", () => copy(base ? base + link : whole(link), "link"), "primary", {
				"aria-label": `copy the link ${name}`,
			}),
			codeButton(link),
		);
	const box = h("div");
	const free = () =>
		attempt(async () => {
			await seat?.();
			put(
				box,
				note(`${capital(seatName)} is free: who opens the link can sit down.`),
				links(here, "to this table"),
			);
		});
	if (seat) put(box, button(`Free the seat of ${seatName}`, free, "primary"));
	else put(box, links(here, "to this table"));
	return dialog(
		"Invite",
		h("h3", "To this table"),
		para(
			seat
				? "A friend takes the other seat; everybody else who has the link watches."
				: "Whoever has the link watches, or takes a seat that is free.",
		),
		box,
		h("h3", "A class"),
		para("Everybody who opens this link begins a game of their own from this position."),
		links(own, "for a class"),
		base ? null : note(`Only this computer can open these links. ${HOW_OTHERS_COME}`),
	);
}

/**
 * Asks for a position, moves or games as text.
 * @param {string} game
 * @param {string} example
 * @param {(meant: Meant) => any} take
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
