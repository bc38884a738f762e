// @ts-check
// The server: requests by HTTP, live news by one WebSocket that comes back when it breaks.

/** @import { Ask, Catalogue, Ears, Game, Listen, Puzzles } from "./messages.js" */

/** Asks the server; without a body it only reads. @type {Ask} */
export const ask = async (
	/** @type {string} */ path,
	/** @type {object | undefined} */ body = undefined,
	/** @type {string | undefined} */ method = undefined,
) => {
	const sent = JSON.stringify(body);
	let response;
	try {
		response = await fetch(path, {
			method: method ?? (sent ? "POST" : "GET"),
			headers: { "content-type": "application/json" },
			body: sent,
		});
	} catch {
		connected(); // which tells when it is there again
		throw new Error("The laboratory does not answer. Is petteia lab still running?");
	}
	const isJson = (response.headers.get("content-type") ?? "").includes("json");
	const found = isJson ? await response.json() : await response.text();
	if (!response.ok) throw new Error(isJson ? said(found.detail) : response.statusText);
	return found;
};

/** The words of a refusal. @param {any} detail */
function said(detail) {
	if (typeof detail === "string") return detail;
	if (Array.isArray(detail) && detail[0]) return `${detail[0].loc?.at(-1) ?? ""}: ${detail[0].msg}`;
	return "the laboratory refused";
}

let next = 1;
/** @type {WebSocket | null} */
let socket = null;
/** @type {Map<number, {message: object, ears: Ears<any, any>, again: boolean}>} */
const open = new Map();
let wait = 200;

/** The socket; it is opened again when it breaks, and every page has one, to know when it does. */
export function connected() {
	if (socket && socket.readyState <= WebSocket.OPEN) return socket;
	const fresh = new WebSocket(
		`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`,
	);
	socket = fresh;
	fresh.onopen = () => {
		wait = 200;
		if (!notice().hidden) document.dispatchEvent(new Event("reconnected"));
		notice().hidden = true;
		for (const [id, { message }] of open) fresh.send(JSON.stringify({ id, ...message }));
	};
	fresh.onmessage = (event) => {
		const news = JSON.parse(event.data);
		const ears = open.get(news.id)?.ears;
		if (!ears) return;
		if (news.part) ears.part?.(news.part);
		if (news.done || news.error) open.delete(news.id);
		if (news.done) ears.done?.(news.done);
		if (news.error) ears.error?.(news.error);
	};
	fresh.onclose = () => {
		if (socket === fresh) socket = null;
		for (const [id, { ears, again }] of open) {
			if (!again) {
				open.delete(id);
				ears.error?.("the connection broke");
			}
		}
		setTimeout(connected, wait);
		wait = Math.min(2 * wait, 5000);
		tellIfAway();
	};
	return fresh;
}

/** Says that there is no connection. */
const notice = () => /** @type {HTMLElement} */ (document.getElementById("offline"));
let isLeaving = false;
addEventListener("pagehide", () => (isLeaving = true));
addEventListener("pageshow", () => (isLeaving = false));

/** Without a socket a page that waits for no news does not miss it; without a server it does. */
async function tellIfAway() {
	const isThere =
		!open.size &&
		(await fetch("/health").then(
			() => true,
			() => false,
		));
	if (!isThere && !isLeaving && socket?.readyState !== WebSocket.OPEN) notice().hidden = false;
}

/**
 * Begins something whose news come over the socket; gives a function that ends it. ``again`` begins
 * it again when the connection comes back.
 * @type {Listen}
 */
export const listen = (message, ears, again = false) => {
	const id = next++;
	const line = connected();
	open.set(id, { message, ears, again });
	if (line.readyState === WebSocket.OPEN) line.send(JSON.stringify({ id, ...message }));
	return () => {
		if (!open.delete(id)) return;
		if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ id, do: "stop" }));
	};
};

/** @type {Promise<Catalogue> | null} */
let catalogue = null;

/** The games that there are. */
export function games() {
	catalogue ??= ask("/api/games");
	catalogue.catch(() => (catalogue = null));
	return catalogue;
}

/** @type {Promise<Puzzles> | null} */
let shelf = null;

/** The puzzles that there are. */
export async function puzzles() {
	shelf ??= ask("/api/puzzles");
	shelf.catch(() => (shelf = null));
	return (await shelf).puzzles;
}

/** @type {Map<string, Promise<Game>>} */
const known = new Map();

/** One game, by its spec. @param {string} spec */
export async function game(spec) {
	const listed = (await games()).games.find((each) => each.spec === spec);
	if (listed) return listed;
	let found = known.get(spec);
	if (!found) {
		found = ask(`/api/game?spec=${encodeURIComponent(spec)}`);
		known.set(spec, found);
		found.catch(() => known.delete(spec));
	}
	return found;
}

/** The hash of a page with its settings. @param {string} page @param {Record<string, any>} [settings] */
export function address(page, settings = {}) {
	const given = Object.entries(settings).filter(([, value]) => (value ?? "") !== "");
	const words = given.map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
	return `#/${page}${words.length ? "?" + words.join("&") : ""}`;
}

/**
 * The same of a page that shows a line.
 * @param {string} page
 * @param {{game: string, start: string, moves: string[]}} line
 * @param {Record<string, any>} [more]
 */
export const lineAddress = (page, { game, start, moves }, more = {}) =>
	address(page, { game, start: start === "start" ? "" : start, moves: moves.join(" "), ...more });

/**
 * What a player is called: by the opponent that it is in this game, by the name of a visitor's own
 * function, else by its spec.
 * @param {Game | undefined} game
 * @param {string} who
 */
export const playerName = (game, who) =>
	game?.levels.find((level) => level.agent === who)?.title ?? /\.py:(\w+)/.exec(who)?.[1] ?? who;

/** What a game or a variant is called. @param {string} spec @param {Game[]} known */
export function gameName(spec, known) {
	const name = spec.split("(")[0],
		game = known.find((each) => each.name === name);
	const variant = game?.variants.find((each) => each.spec === spec)?.name;
	return `${game?.title ?? name} ${variant ?? spec.slice(name.length)}`.trim();
}

/** An agent of the game that plays by an evaluation. @param {Game} game @param {string} evaluation */
export const playerBy = (game, evaluation) => game.player.replace("?", evaluation);
