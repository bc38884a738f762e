// @ts-check
// Moves as paths over cells: what can be chosen next, and which moves are still meant.

/** @import { Action } from "./messages.js" */

/**
 * The cells that can be chosen next, each with the moves that are still meant.
 * @param {Action[]} actions
 * @param {string[][]} made parts of a move that are made already
 * @param {string[]} prefix cells of a path that are chosen already
 * @returns {Map<string, Action[]>}
 */
export function options(actions, made, prefix) {
	/** @type {Map<string, Action[]>} */
	const found = new Map();
	/** @param {string} id @param {Action} action */
	const offer = (id, action) => found.set(id, [...new Set([...(found.get(id) ?? []), action])]);
	for (const action of actions) {
		for (const way of left(action, made) ?? []) {
			if (!prefix.length && way.length) offer(way[0], action);
			else if (leads(prefix, way)) offer(way[way.length - 1], action);
		}
	}
	// Where the end does not say which way was meant, the cells between do.
	for (const [end, list] of prefix.length ? [...found] : []) {
		for (const action of list) {
			if (action.parts?.length) continue;
			const from = action.path.lastIndexOf(prefix[prefix.length - 1], action.path.length - 2);
			for (const id of action.path.slice(from + 1, -1)) {
				const through = list.filter((each) => each.path.includes(id));
				if (through.length < list.length && id !== end) for (const each of through) offer(id, each);
			}
		}
	}
	return found;
}

/** What is left of a move of several pieces after some parts of it; null if they are not its parts. @param {Action} action @param {string[][]} made */
export function left(action, made) {
	const open = action.parts?.length ? [...action.parts] : [action.path];
	for (const part of made) {
		const at = open.findIndex((each) => each[0] === part[0] && each[each.length - 1] === part[1]);
		if (at < 0) return null;
		open.splice(at, 1);
	}
	return open;
}

/** Whether cells lie on a way in this order, from its beginning and not yet to its end. @param {string[]} cells @param {string[]} way */
function leads(cells, way) {
	let at = -1;
	return (
		cells[0] === way[0] &&
		cells.every((id) => (at = way.indexOf(id, at + 1)) >= 0) &&
		at < way.length - 1
	);
}

/**
 * The dice that the parts of a move have used, by their places: those of their lengths, or else the
 * first that are left.
 * @param {number[]} dice
 * @param {string[][]} made
 */
export function usedDice(dice, made) {
	/** @type {Set<number>} */
	const used = new Set();
	for (const part of made) {
		const length = Math.abs(Number(part[0]) - Number(part[part.length - 1]));
		const free = dice.map((_, i) => i).filter((i) => !used.has(i));
		const fits = free.find((i) => dice[i] === length) ?? free[0];
		if (fits !== undefined && (dice[0] !== dice[1] || made.length > 1)) used.add(fits);
	}
	return used;
}

/**
 * The nearest cell in a direction.
 * @param {Map<string, [number, number]>} places
 * @param {string} from
 * @param {[number, number]} way
 */
export function neighbour(places, from, [dx, dy]) {
	const here = places.get(from) ?? [0, 0];
	let best = null,
		least = Infinity;
	for (const [id, [x, y]] of places) {
		const ahead = (x - here[0]) * dx + (y - here[1]) * dy;
		const aside = Math.abs((x - here[0]) * dy) + Math.abs((y - here[1]) * dx);
		if (ahead > 1 && ahead + 2.2 * aside < least) [best, least] = [id, ahead + 2.2 * aside];
	}
	return best;
}
