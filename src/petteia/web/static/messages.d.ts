// Written by python -m petteia.web.messages.typescript from the types of the server.

/** A message as a script writes it; it gets a number when it is sent. */
export type Asked<Message> = Omit<Message, "id">;

/** What listens to the news of a message. */
export interface Ears<Part, Done> {
	part?: (part: Part) => void;
	done?: (done: Done) => void;
	error?: (words: string) => void;
}

/** A legal move as a path over cells. */
export interface Action {
	move: string;
	path: string[];
	captures: string[];
	parts: string[][];
	player: number | null;
}

/** An agent that a visitor can name. */
export interface Agent {
	name: string;
	about: string;
	parameters: Parameter[];
}

/** How long an agent thinks about a move, in seconds. */
export interface AgentCost {
	agent: string;
	seconds: number;
}

/** Analyse the position at the end of a line. */
export interface Analyse {
	game: string;
	start?: string;
	moves?: string[];
	id: number;
	do: "analyse";
	agent?: string | null;
	seconds?: number;
	shares?: boolean;
}

/** What is known about a position: its moves; where both choose a matrix; before the dice are
 * thrown every throw. */
export interface Analysis {
	depth: number | null;
	seconds: number;
	nodes?: number;
	exact: boolean;
	moves?: Ranked[];
	matrix?: Matrix;
	throws?: Throw[];
	chance?: number | null;
	mover?: number;
	evaluation?: Shares | null;
	judge?: string;
	agent?: string;
}

/** The move that the page found for an agent, by its number; none where it cannot search. */
export interface Answered {
	serial: number;
	move: string | null;
}

/** A move in an exercise of a game's lesson. */
export interface Attempt {
	game: string;
	exercise: number;
	move: string;
}

/** A Python file of a visitor, and the game in which it is tried. */
export interface BroughtCode {
	game: string;
	name?: string;
	text: string;
}

/** Every game, whether visitors may bring code, where people at other machines find the laboratory,
 * and whether there is a ladder to look at. */
export interface Catalogue {
	games: Game[];
	code: boolean;
	addresses: string[];
	ladder: boolean;
}

/** A place on which pieces can stand; see ``core.view``. */
export interface Cell {
	id: string;
	at: [number, number];
	shape: string;
	mark: string;
	named: boolean;
}

/** Other players for a table. */
export interface Changed {
	players: [string, string];
}

/** A secret choice where both players choose. */
export interface ChosenMove {
	player: number;
	move: string;
}

/** Seconds that are left to each, and whose time runs. */
export interface ClockSeen {
	left: number[];
	running: number[];
}

/** What the moves of an agent took in all games together. */
export interface Cost {
	agent: string;
	moves: number;
	interior: number;
	leaves: number;
	seconds: number;
	late: number;
}

/** A doubling cube, and whether somebody has to take it or to drop. */
export interface Cube {
	value: number;
	at: [number, number];
	offered: boolean;
}

/** It was done, and there is nothing to tell. */
export interface Done {
	ok: boolean;
}

/** A position with some cells changed: a letter for each piece, nothing for an empty cell. */
export interface Edited {
	game: string;
	position?: string;
	cells?: Record<string, string>;
	mover?: number | null;
}

/** An Elo difference with its interval; None is infinite. */
export interface Elo {
	elo: number | null;
	low: number | null;
	high: number | null;
}

/** The end of what went on, and who analysed. */
export interface Ended {
	agent?: string;
}

/** A search for the page's own processor. */
export interface EngineTask {
	module: string;
	entry: string;
	arguments: string[];
	size: number;
	layout: Record<string, [number, string, number]>;
	kept: string[];
	fill: Record<string, string[]>;
	weights: string | null;
	bytes: number;
	pointer: string | null;
	seconds: number;
	helping: HelpingTask | null;
}

/** A class of errors: how much of the chance to win a move loses at least. */
export interface Error {
	name: string;
	sign: string;
	from: number;
}

/** What a match or a tournament will cost. */
export interface Estimate {
	games: number;
	moves: number;
	seconds: number;
	processors: number;
	agents: AgentCost[];
}

/** An evaluation and its weights. */
export interface Evaluation {
	name: string;
	about: string;
	weights: Record<string, number>;
}

/** A position in which a move is asked for, and whose move it is. */
export interface ExerciseShown {
	task: string;
	view: View;
	player: number;
}

/** An experiment of a study, and what was published. */
export interface Experiment {
	games: number;
	wins: number;
	draws: number;
	losses: number;
	score: number;
	interval: [number, number];
	points: number;
	forfeits: number;
	forfeits_by_agent: [number, number];
	late: number;
	late_by_agent: [number, number];
	game: string;
	agents: [string, string];
	pairs: number;
	seed: number;
	opening: string;
	adjudication: string | null;
	series: number | null;
	pentanomial: number[];
	elo: Elo;
	normalised_elo: Elo;
	los: number;
	plies: number;
	costs: Cost[];
	problems: string[];
	llr?: number;
	bounds?: [number, number];
	decision?: string;
	hypotheses?: [number, number];
	model?: string;
	corrected?: Elo | null;
	note?: string | null;
	key: string;
	title: string;
	claim: string;
	claimed: any;
	by_seat: number[];
}

/** What a feature adds; by cell, what pieces add to it and what moves there change. */
export interface Feature {
	name: string;
	share: number;
	pieces: Record<string, number>;
	moves: Record<string, number>;
}

/** A position as text. */
export interface Form {
	name: string;
	text: string;
}

/** What a page's search found, to be put into words. */
export interface Found {
	game: string;
	start?: string;
	moves?: string[];
	agent?: string | null;
	seconds?: number;
	found: FoundMove[];
	depth: number;
	nodes: number;
	spent: number;
	shares?: boolean;
}

/** A move that a page's search found: the line that begins with it, and its value, if it knows one.
 * Where there are visits, the moves come in their order; else by their values. */
export interface FoundMove {
	line: string[];
	value: number | null;
	visits?: number;
}

/** A game with all that a visitor can choose. */
export interface Game {
	spec: string;
	name: string;
	title: string;
	about: string;
	names: string[];
	chance: boolean;
	simultaneous: boolean;
	parameters: Parameter[];
	variants: Variant[];
	evaluations: Evaluation[];
	default_evaluation: string | null;
	openings: string[];
	agents: Agent[];
	marks: Marks;
	levels: Level[];
	analyst: string;
	tuned: string;
	player: string;
	editable: boolean;
	brushes: Record<string, string>;
	stacks: boolean;
	home: number;
	reminder: string;
	turns_board: boolean;
	army: number[] | null;
	start: View;
}

/** A game as text, and how its file ends. */
export interface GameForm {
	name: string;
	text: string;
	suffix: string;
}

/** Whether the server answers. */
export interface Health {
	ok: boolean;
	version: string;
}

/** How a second worker helps with a search in the same memory. */
export interface HelpingTask {
	module: string;
	memory: number;
	stack: number;
	pointer: string;
	bytes: number;
	fill: Record<string, number>;
}

/** A job as one visitor sees it. */
export interface Job {
	id: string;
	state: "waiting" | "running" | "stopped" | "finished" | "failed";
	created: number;
	options: JobOptions;
	news: News;
	result: MatchFacts | TournamentFacts | StudyFacts | TuneFacts | null;
	problem: string;
	report: boolean;
	mine: boolean;
}

/** What a job was asked for. */
export interface JobOptions {
	kind: "match" | "tournament" | "study" | "tune";
	game: string | null;
	agents: string[] | null;
	pairs: number | null;
	name: string | null;
}

/** A visitor's jobs. */
export interface Jobs {
	jobs: Job[];
}

/** A move that was played, beside the best one, how that goes on, and why it is better. */
export interface Judged {
	mover: number;
	played: MoveChance;
	best: MoveChance;
	choices: number;
	lost?: number;
	line: string[];
	why: Reason[];
}

/** The review that is kept with a game, if there is one of all its moves. */
export interface KeptReview {
	review: ReviewShown | null;
}

/** A word beside the board. */
export interface Label {
	text: string;
	at: [number, number];
}

/** Somebody on a ladder. */
export interface LadderRow {
	name: string;
	page: string;
	status: string;
	message: string;
	rank: number | null;
	rating: number | null;
	interval: number[] | null;
	points: number;
	games: number;
	forfeits: number;
	late: number;
}

/** The standings of a ladder, the highest rating first. */
export interface LadderShown {
	game: string;
	pairs: number;
	missing: number;
	rows: LadderRow[];
}

/** How a game is played. */
export interface LessonShown {
	title: string;
	aim: string;
	names: string[];
	home: number;
	rules: RuleShown[];
	exercises: ExerciseShown[];
}

/** An opponent from which a visitor chooses; nobody has measured those of own games. */
export interface Level {
	title: string;
	agent: string;
	meaning: string;
	strength: Strength | null;
}

/** A game as it stands. */
export interface Line {
	id: string;
	serial: number;
	game: string;
	names: string[];
	players: [string, string];
	start: string;
	seed: number;
	promise: string;
	secret: string;
	created: number;
	plies: Ply[];
	redo: number;
	kind: string;
	over: boolean;
	result: number | null;
	status: string;
	view: View;
	rolls: Roll[];
	thrown: string[][];
}

/** A position and the plies after it. */
export interface LineRequest {
	game: string;
	start?: string;
	moves?: string[];
}

/** A table in a list. */
export interface Listed {
	id: string;
	touched: number;
	game: string;
	plies: number;
	state: string;
	players: [string, string];
	status: string;
}

/** The classes of errors, the gravest first, and the least luck that is told. */
export interface Marks {
	errors: Error[];
	luck: number;
}

/** A match so far; the last seven are those of its sequential test. */
export interface MatchFacts {
	games: number;
	wins: number;
	draws: number;
	losses: number;
	score: number;
	interval: [number, number];
	points: number;
	forfeits: number;
	forfeits_by_agent: [number, number];
	late: number;
	late_by_agent: [number, number];
	game: string;
	agents: [string, string];
	pairs: number;
	seed: number;
	opening: string;
	adjudication: string | null;
	series: number | null;
	pentanomial: number[];
	elo: Elo;
	normalised_elo: Elo;
	los: number;
	plies: number;
	costs: Cost[];
	problems: string[];
	llr?: number;
	bounds?: [number, number];
	decision?: string;
	hypotheses?: [number, number];
	model?: string;
	corrected?: Elo | null;
	note?: string | null;
}

/** Payoffs of the first player where both choose. */
export interface Matrix {
	rows: Share[];
	columns: Share[];
	payoffs: number[][];
	size: [number, number];
	value: number | null;
	chance: number;
	exploitability: number | null;
}

/** What a pasted text means. */
export interface Meant {
	game: string;
	start: string;
	moves: string[];
	games: number;
}

/** Tell me how this match, tournament, tuning or study goes. */
export interface Measure {
	id: number;
	do: "measure";
	job: string;
}

/** Two agents of a tournament. */
export interface Meeting {
	games: number;
	wins: number;
	draws: number;
	losses: number;
	score: number;
	interval: [number, number];
	points: number;
	forfeits: number;
	forfeits_by_agent: [number, number];
	late: number;
	late_by_agent: [number, number];
	agents: [string, string];
}

/** A move and the chance to win after it. */
export interface MoveChance {
	move: string;
	chance: number;
}

/** Two agents to be matched in pairs of games with sides swapped. */
export interface NewMatch {
	game: string;
	agents: [string, string];
	pairs?: number;
	seed?: number;
	opening?: string;
	sprt?: [number, number] | null;
}

/** A study to be run. */
export interface NewStudy {
	name: string;
	quick?: boolean;
	seed?: number;
}

/** A game to begin: players are specs of agents, or ``person``. */
export interface NewTable {
	game: string;
	players?: [string, string];
	start?: string;
	moves?: string[];
	seed?: number | null;
	secret?: string;
	seat?: number | null;
	searches?: boolean;
	clock?: [number, number] | null;
}

/** Agents that each play every other. */
export interface NewTournament {
	game: string;
	agents: string[];
	pairs?: number;
	seed?: number;
	opening?: string;
	gauntlet?: boolean;
}

/** An agent whose weights are to be tuned by games. */
export interface NewTuning {
	game: string;
	agent: string;
	against: string;
	method?: string;
	series?: number;
	budget?: number;
	confirm?: number;
	seed?: number;
}

/** How far a job is; ``left`` is in seconds. */
export interface News {
	done?: number;
	total?: number;
	left?: number | null;
	facts?: MatchFacts | TournamentFacts | StudyFacts | TuneFacts;
	sample?: Sample;
}

/** A throw of the dice, and how likely it is. */
export interface Outcome {
	text: string;
	chance: number;
}

/** A parameter of a game or an agent. */
export interface Parameter {
	name: string;
	default: number | boolean | string | null;
	value?: number | boolean | string | null;
	label?: string;
	choices?: string[];
}

/** The position at the end of a line, as a picture. */
export interface PictureRequest {
	game: string;
	start?: string;
	moves?: string[];
	flip?: boolean;
}

/** One or more pieces of a player on a cell. */
export interface Piece {
	cell: string;
	owner: number;
	letter: string;
	kind: string;
	count: number;
}

/** A move; ``serial`` is what the page believed the table to be at. */
export interface PlayedMove {
	move: string;
	serial?: number | null;
}

/** A ply of a list of moves; ``word`` is how a record writes it. */
export interface Ply {
	kind: string;
	texts: string[];
	player: number | null;
	word: string;
}

/** A puzzle; its page and its picture are files of its name. */
export interface Puzzle {
	name: string;
	title: string;
	about: string;
}

/** Every puzzle that has a page. */
export interface Puzzles {
	puzzles: Puzzle[];
}

/** A move with its value, its line and its chance to win. */
export interface Ranked {
	move: string;
	value: number | null;
	end: number | null;
	draw?: boolean;
	chance: number | null;
	line: string[];
	visits: number;
}

/** An agent's rating with its standard error. */
export interface Rating {
	agent: string;
	rating: number;
	error: number;
	league: string;
	games: number;
	points?: number;
}

/** What the best move has more of than the one played, as an evaluation sees it. */
export interface Reason {
	name: string;
	share: number;
}

/** The player who resigns; by default the person to move. */
export interface Resignation {
	player?: number | null;
}

/** Review every move of a line. */
export interface Review {
	game: string;
	start?: string;
	moves?: string[];
	id: number;
	do: "review";
	agent?: string | null;
	table?: string;
}

/** A whole review: the moves and the throws by their plies, and who judged. */
export interface ReviewShown {
	judged: ([number, Judged[]])[];
	thrown: ([number, Thrown])[];
	exact: boolean;
	by: string;
}

/** What a review found at a ply: its moves, or its throw. */
export interface Reviewed {
	at: number;
	judged?: Judged[];
	exact?: boolean;
	throw?: Thrown;
}

/** How often an outcome of the dice came, and how often it was to be expected. */
export interface Roll {
	roll: string;
	count: number;
	expected: number;
}

/** A rule with its picture; arrows are paths over its cells. */
export interface RuleShown {
	text: string;
	view: View;
	arrows: string[][];
}

/** A game of a series. */
export interface Sample {
	game: string;
	players: [string, string];
	start: string;
	moves: string[];
}

/** A picture laid out, from both sides of the board. */
export interface Scene {
	symbols: Record<string, Sign>;
	tall: boolean;
	counted: number;
	sides: SceneSide[];
}

/** What stands where, seen from one side of the board: the symbol, its place, its cell or text; for
 * pieces also how large, and the number that one shows. */
export interface SceneSide {
	box: number[];
	board: [string, Record<string, number | string>, string | null];
	cells: ([string, number, number, string])[];
	pieces: ([string, number, number, string, number, number])[];
	labels: ([string, number, number, string])[];
	props: ([string, number, number, string, number])[];
}

/** What the page shall search itself; nothing where the server must. */
export interface SearchHere {
	task: EngineTask | null;
}

/** A person's seat to take or to leave. */
export interface Seat {
	player: number;
}

/** A series of the store. */
export interface Series {
	games: number;
	wins: number;
	draws: number;
	losses: number;
	score: number;
	interval: [number, number];
	points: number;
	forfeits: number;
	forfeits_by_agent: [number, number];
	late: number;
	late_by_agent: [number, number];
	id: number;
	created: string;
	kind: string;
	game: string;
	agents: [string, string];
	seed: string;
	pairs: number;
	state: string;
	sprt: any;
	opening: string | null;
	plies: number;
}

/** A game of a series. */
export interface SeriesGame {
	place: string;
	players: [string, string];
	result: number;
	score: number;
	plies: number;
	forfeit: string | null;
}

/** A series with its games; its course is the mean score after some of its pairs, with the interval
 * that is told of the whole, if not too many games were played to list them. */
export interface SeriesGames {
	games: number;
	wins: number;
	draws: number;
	losses: number;
	score: number;
	interval: [number, number];
	points: number;
	forfeits: number;
	forfeits_by_agent: [number, number];
	late: number;
	late_by_agent: [number, number];
	id: number;
	created: string;
	kind: string;
	game: string;
	agents: [string, string];
	seed: string;
	pairs: number;
	state: string;
	sprt: any;
	opening: string | null;
	plies: number;
	list: SeriesGame[];
	course: ([number, number, number])[];
}

/** What the store holds. */
export interface SeriesList {
	series: Series[];
}

/** How often a move is best played where both choose. */
export interface Share {
	move: string;
	share: number;
	value: number | null;
	chance: number;
}

/** A position as an evaluation sees it. */
export interface Shares {
	name: string;
	value: number | null;
	mover: number;
	features: Feature[];
}

/** What stands at a place; on a cell pieces stand in its slots, the later ones in the last. */
export interface Sign {
	kind: string;
	parts: ([string, Record<string, number | string>, string | null])[];
	ring?: [string, Record<string, number | string>, string | null];
	slots?: ([number, number])[];
}

/** A text that is a position or a whole game, pasted by a visitor. */
export interface Sought {
	game: string;
	text: string;
	number?: number;
}

/** All agents that have met in a game. */
export interface Standings {
	agents: string[];
	table: ((number | null)[])[];
	games: number[][];
	ratings: Rating[];
}

/** A stored game as a line. */
export interface StoredGame {
	game: string;
	start: string;
	players: [string, string];
	moves: string[];
	result: number | null;
}

/** How strong an opponent is: Elo above the game's weakest, half its 95 % interval, games. */
export interface Strength {
	elo: number;
	error: number;
	games: number;
}

/** The studies that there are. */
export interface Studies {
	studies: Study[];
}

/** A study that can be run. */
export interface Study {
	name: string;
	title: string;
	about: string;
}

/** A study so far; its report has findings of its own. */
export interface StudyFacts {
	study: string;
	experiments: Experiment[];
	title?: string;
	quick?: boolean;
	seed?: number;
	findings?: any;
}

/** A table as one visitor sees it. */
export interface Table {
	id: string;
	serial: number;
	game: string;
	names: string[];
	players: [string, string];
	start: string;
	seed: number;
	promise: string;
	secret: string;
	created: number;
	plies: Ply[];
	redo: number;
	kind: string;
	over: boolean;
	result: number | null;
	status: string;
	view: View;
	rolls: Roll[];
	thrown: string[][];
	thinking: boolean;
	problem: string;
	chosen: number[];
	asked: boolean;
	clock: ClockSeen | null;
	terms: [number, number] | null;
	mine: number[];
	free: number[];
	own: boolean;
	may_undo: boolean;
	may_redo: boolean;
}

/** A visitor's last games. */
export interface Tables {
	tables: Listed[];
}

/** A line in every form. */
export interface Texts {
	positions: Form[];
	games: GameForm[];
}

/** An agent or an evaluation of a visitor's file, and the spec of an opponent that plays so. */
export interface Thing {
	name: string;
	kind: "agent" | "evaluation";
	spec: string;
}

/** What a visitor's file defines. */
export interface Things {
	things: Thing[];
}

/** A throw: how likely it is, the chance of its thrower then, and his best move. */
export interface Throw {
	throw: string;
	share: number;
	chance: number | null;
	best: string | null;
}

/** What a throw changed in its thrower's chance. */
export interface Thrown {
	player: number;
	roll: string;
	luck: number;
}

/** Agents that each play every other, or two that meet, and how often. */
export interface ToEstimate {
	game: string;
	agents: string[];
	pairs?: number;
	seed?: number;
	opening?: string;
	gauntlet?: boolean;
}

/** The position at the end of a line, to be searched by the page; without a name by the usual
 * analyst, thinking so long. */
export interface ToSearch {
	game: string;
	start?: string;
	moves?: string[];
	agent?: string | null;
	seconds?: number;
}

/** A tournament so far. */
export interface TournamentFacts {
	game: string;
	agents: string[];
	pairs: number;
	seed: number;
	opening: string;
	kind: string;
	table: ((number | null)[])[];
	ratings: Rating[];
	meetings: Meeting[];
	series: (number | null)[];
}

/** Whether a move does what an exercise asks for, what to say, and what came of it. */
export interface Tried {
	solved: boolean;
	words: string;
	view: View;
}

/** A tuning so far; its result has all that a session tells. */
export interface TuneFacts {
	tuning: string;
	marks: ([number, boolean])[];
	game?: string;
	agent?: string;
	start?: Record<string, number>;
	weights?: Record<string, number>;
	better?: boolean;
	confirmed_score?: number;
	start_score?: number;
	interval?: [number, number];
}

/** A variant of a game. */
export interface Variant {
	name: string;
	spec: string;
}

/** The picture of a position. */
export interface View {
	game: string;
	size: [number, number];
	cells: Cell[];
	pieces: Piece[];
	labels: Label[];
	mover: number | null;
	dice: number[];
	dice_at: [number, number] | null;
	cube: Cube | null;
	status: string;
	actions: Action[];
	last: string[];
	tracks: string[][];
	tallies: string[];
	forced: string;
	players: string[];
	scene: Scene;
	kind: string;
	text: string;
	outcomes?: Outcome[];
	choices?: Action[][];
}

/** Tell me how this table stands, now and later. */
export interface Watch {
	id: number;
	do: "watch";
	table: string;
	searches?: boolean;
}

/** A line that is to be written in every form that there is. */
export interface Written {
	game: string;
	start?: string;
	moves?: string[];
	players?: [string, string];
}

/** Asks a route; the answer is of its type. */
export interface Ask {
	(path: `/api/series/${string}/games/${string}/${string}`): Promise<StoredGame>;
	(path: `/api/tables/${string}/at/${string}`): Promise<View>;
	(path: `/api/jobs/${string}/report`): Promise<string>;
	(path: `/api/jobs/${string}/resume`, asked: {}): Promise<Job>;
	(path: `/api/jobs/${string}/stop`, asked: {}): Promise<Job>;
	(path: `/api/series/${string}/resume`, asked: {}): Promise<Job>;
	(path: `/api/tables/${string}/answer`, asked: Answered): Promise<Done>;
	(path: `/api/tables/${string}/choose`, asked: ChosenMove): Promise<Table>;
	(path: `/api/tables/${string}/leave`, asked: Seat): Promise<Table>;
	(path: `/api/tables/${string}/play`, asked: PlayedMove): Promise<Table>;
	(path: `/api/tables/${string}/players`, asked: Changed): Promise<Table>;
	(path: `/api/tables/${string}/record`): Promise<string>;
	(path: `/api/tables/${string}/redo`, asked: {}): Promise<Table>;
	(path: `/api/tables/${string}/resign`, asked: Resignation): Promise<Table>;
	(path: `/api/tables/${string}/review`): Promise<KeptReview>;
	(path: `/api/tables/${string}/sit`, asked: Seat): Promise<Table>;
	(path: `/api/tables/${string}/task`): Promise<SearchHere>;
	(path: `/api/tables/${string}/undo`, asked: {}): Promise<Table>;
	(path: `/api/jobs/${string}`): Promise<Job>;
	(path: `/api/lesson/try`, asked: Attempt): Promise<Tried>;
	(path: `/api/series/${string}`): Promise<SeriesGames>;
	(path: `/api/tables/${string}`): Promise<Table>;
	(path: `/api/tables/${string}`, asked: undefined, method: "DELETE"): Promise<Done>;
	(path: `/api/code`, asked: BroughtCode): Promise<Things>;
	(path: `/api/edit`, asked: Edited): Promise<View>;
	(path: `/api/estimate`, asked: ToEstimate): Promise<Estimate>;
	(path: `/api/game?${string}`): Promise<Game>;
	(path: `/api/games`): Promise<Catalogue>;
	(path: `/api/jobs`): Promise<Jobs>;
	(path: `/api/judge`, asked: Found): Promise<Analysis>;
	(path: `/api/ladder`): Promise<LadderShown>;
	(path: `/api/lesson?${string}`): Promise<LessonShown>;
	(path: `/api/line`, asked: LineRequest): Promise<Line>;
	(path: `/api/matches`, asked: NewMatch): Promise<Job>;
	(path: `/api/picture`, asked: PictureRequest): Promise<string>;
	(path: `/api/puzzles`): Promise<Puzzles>;
	(path: `/api/qr.svg?${string}`): Promise<string>;
	(path: `/api/read`, asked: Sought): Promise<Meant>;
	(path: `/api/search`, asked: ToSearch): Promise<SearchHere>;
	(path: `/api/series?${string}`): Promise<SeriesList>;
	(path: `/api/standings?${string}`): Promise<Standings>;
	(path: `/api/studies`): Promise<Studies>;
	(path: `/api/studies`, asked: NewStudy): Promise<Job>;
	(path: `/api/tables`): Promise<Tables>;
	(path: `/api/tables`, asked: NewTable): Promise<Table>;
	(path: `/api/texts`, asked: Written): Promise<Texts>;
	(path: `/api/tournaments`, asked: NewTournament): Promise<Job>;
	(path: `/api/tunings`, asked: NewTuning): Promise<Job>;
	(path: `/engines/${string}.wasm`): Promise<string>;
	(path: `/engines/${string}.weights`): Promise<string>;
	(path: `/ladder/{path:path}`): Promise<string>;
	(path: `/static/board.css`): Promise<string>;
	(path: `/`): Promise<string>;
	(path: `/health`): Promise<Health>;
}

/** Begins something; its news are of its types. */
export interface Listen {
	(message: Asked<Watch>, ears: Ears<Table, Ended>, again?: boolean): () => void;
	(message: Asked<Analyse>, ears: Ears<Analysis, Analysis>, again?: boolean): () => void;
	(message: Asked<Review>, ears: Ears<Reviewed, Ended>, again?: boolean): () => void;
	(message: Asked<Measure>, ears: Ears<Job, Ended>, again?: boolean): () => void;
}
