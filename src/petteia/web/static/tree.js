// @ts-check
// The lines of an analysis as a tree: every move that was tried is kept, with comments.

import { button, copy, dialog, h, keep, para, put, recall } from "./dom.js";

/**
 * @typedef {{word: string, note: string, children: Node[]}} Node a move in the words of a record,
 *   and what was tried after it, the main line first
 */

export class Tree {
	/**
	 * The tree that the browser has kept for a start, and a line in it.
	 * @param {string} game
	 * @param {string} start
	 * @param {string[]} words
	 */
	constructor(game, start, words) {
		this.key = `${game} ${start}`;
		/** @type {Node} */
		this.root = recall("trees", this.key) ?? { word: "", note: "", children: [] };
		/** @type {Node[]} the line that is shown */
		this.path = [];
		this.show(words);
	}

	/** The move before a position; at the start the root. @param {number} at */
	node(at) {
		return this.path[at - 1] ?? this.root;
	}

	get words() {
		return this.path.map((each) => each.word);
	}

	/** Shows a line and what follows it; what is new is added. @param {string[]} words */
	show(words) {
		this.path = [];
		let node = this.root;
		for (const word of words) {
			let next = node.children.find((each) => each.word === word);
			if (!next) {
				next = { word, note: "", children: [] };
				node.children.push(next);
			}
			this.path.push(next);
			node = next;
		}
		this.#goOn();
		this.keep();
	}

	/** Plays a move at a position, old or new. @param {number} at @param {string} word */
	play(at, word) {
		this.show([...this.words.slice(0, at), word]);
	}

	/** Writes the moves as the server does. @param {string[]} words */
	name(words) {
		for (const [i, word] of words.entries()) this.path[i].word = word;
	}

	/** Makes the move before a position the first of its place. @param {number} at */
	promote(at) {
		const { children } = this.node(at - 1),
			node = this.node(at);
		children.splice(children.indexOf(node), 1);
		children.unshift(node);
		this.keep();
	}

	/** Deletes the move before a position, and all that follows. @param {number} at */
	remove(at) {
		const { children } = this.node(at - 1);
		children.splice(children.indexOf(this.node(at)), 1);
		this.path = this.path.slice(0, at - 1);
		this.#goOn();
		this.keep();
	}

	#goOn() {
		let [next] = this.node(this.path.length).children;
		while (next) {
			this.path.push(next);
			[next] = next.children;
		}
	}

	/** A tree of one line is in the address already. */
	keep() {
		const isLine = (/** @type {Node} */ node) =>
			!node.note && node.children.length < 2 && node.children.every(isLine);
		keep("trees", this.key, isLine(this.root) ? null : this.root);
	}

	/** All lines as text: variations in brackets, comments in braces. */
	text() {
		const told = (/** @type {Node} */ node) =>
			node.note ? `${node.word} {${node.note}}` : node.word;
		const after = (/** @type {Node} */ node) => {
			const [first, ...others] = node.children;
			/** @type {string[]} */
			const words = first
				? [
						told(first),
						...others.map((each) => `(${[told(each), ...after(each)].join(" ")})`),
						...after(first),
					]
				: [];
			return words;
		};
		return after(this.root).join(" ");
	}
}

/**
 * What else was tried here, and what can be done with the move that led here.
 * @param {Tree} tree
 * @param {number} at
 * @param {{go: (words: string[], at: number) => void, text: (word: string) => string}} page
 */
export function variations(tree, at, { go, text }) {
	const box = h("div.variations"),
		node = tree.node(at),
		before = tree.words.slice(0, at - 1);
	const chips = (
		/** @type {string} */ words,
		/** @type {Node[]} */ nodes,
		/** @type {string[]} */ line,
	) =>
		nodes.length
			? h(
					"p",
					h("span.quiet", words),
					nodes.map((each) =>
						button(text(each.word), () => go([...line, each.word], line.length + 1), "chip"),
					),
				)
			: null;
	const siblings = at ? tree.node(at - 1).children : [];
	const isMain = siblings[0] === node;
	const draw = () =>
		put(
			box,
			node.note ? h("p.comment", node.note) : null,
			chips(
				"instead:",
				siblings.filter((each) => each !== node),
				before,
			),
			node.children.length > 1 ? chips("then:", node.children, tree.words.slice(0, at)) : null,
			at
				? h(
						"p",
						button("Comment", comment, "link"),
						!isMain &&
							button(
								"Make it the main line",
								() => {
									tree.promote(at);
									go(tree.words.slice(0, at), at);
								},
								"link",
							),
						button(
							"Delete from here",
							() => {
								tree.remove(at);
								go(tree.words, at - 1);
							},
							"link",
						),
						button("Copy all lines", () => copy(tree.text(), "all lines"), "link"),
					)
				: null,
		);
	function comment() {
		const words = h("textarea", { rows: 3, "aria-label": "comment" }, node.note);
		const open = dialog(
			"Comment",
			words,
			para(
				button(
					"Keep it",
					() => {
						node.note = words.value.replace(/[{}]/g, "").trim();
						tree.keep();
						open.close();
						draw();
					},
					"primary",
				),
			),
		);
	}
	draw();
	return box;
}
