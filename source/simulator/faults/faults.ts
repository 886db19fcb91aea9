import {attempt} from '../../text/attempt.ts';
import {SimulatorError} from '../http/error.ts';

/** Errors that analytics queries can have, in an answer with status 200. */
export const analyticsProblems = [
	'error',
	'partial',
	'too-old',
	'range-too-large',
	'limit-too-large',
	'too-many-fields',
	'not-authorized',
	'budget-depleted',
	'too-busy',
] as const;

/**
 * A fault to simulate: the requests it strikes, and its effect. All fields are optional, but it has at least
 * one effect, and at most one that replaces the answer.
 */
export type Fault = {
	/** Only requests with this method. */
	readonly method?: string;
	/** Only requests whose path contains this, percent-encoded or decoded. */
	readonly path?: string;
	/** Strikes this many times only. */
	readonly times?: number;
	/** Lets this many requests through first. */
	readonly after?: number;

	/** Waits this many milliseconds first. */
	readonly latency?: number;
	/** Never answers. */
	readonly hang?: true;
	/** Answers with this status instead; the request has no effect. */
	readonly status?: number;
	/** The error code sent with `status`. */
	readonly code?: number;
	/** The error message sent with `status`. */
	readonly message?: string;
	/** The `retry-after` header sent with `status`: seconds or a date. */
	readonly retryAfter?: string;
	/** A refusal without any error, with `status` or 403. */
	readonly emptyErrors?: true;
	/** A page of the edge with this status in place of the answer. */
	readonly html?: number;
	/** A redirect to this address in place of the answer. */
	readonly redirect?: string;
	/** Bodies with more bytes are refused with 413. */
	readonly maxBody?: number;
	/** The request takes effect, then the connection is cut without an answer. */
	readonly lostAnswer?: true;
	/** The request takes effect, but the answer has this status. */
	readonly lateStatus?: number;
	/** Cuts the connection after this many bytes of the answer's body. */
	readonly reset?: number;
	/** Sends the answer's body in pieces of this many bytes. */
	readonly drip?: number;
	/** Milliseconds between the pieces of `drip`; default 10. */
	readonly pause?: number;
	/** Keys that bulk writes refuse. */
	readonly refuseKeys?: readonly string[];
	/** Bulk writes answer `null`, as older deployments do. */
	readonly oldBulk?: true;
	/** Renaming a namespace answers `null`, as older deployments do. */
	readonly olderRename?: true;
	/** `errors` and `messages` are null instead of empty. */
	readonly nullErrors?: true;
	/** Maximum entries in a listing of keys; a cursor follows if there are more. */
	readonly shortList?: number;
	/** The last page of a listing has no cursor instead of an empty one. */
	readonly absentCursor?: true;
	/** Namespaces do not decode keys in a URL, and say so with `supports_url_encoding`. */
	readonly encodedKeys?: true;
	/** Every page is the first one. */
	readonly ignorePage?: true;
	/** Eligibility and status of a migration report the stage before the last change. */
	readonly staleStage?: true;
	/** Eligibility and status of a migration report this stage. */
	readonly stage?: string;
	/** Queries fail with this error; `partial`: the first dataset of an answer is null, with an error. */
	readonly analytics?: (typeof analyticsProblems)[number];
	/** Datasets missing from the schema of queries. */
	readonly lacksDataset?: readonly string[];
	/** Dimensions missing from every dataset in the schema of queries. */
	readonly lacksDimension?: readonly string[];
	/** Queries count one of this many events, and estimate the rest. */
	readonly sampleInterval?: number;
};

/** The value that a word of the grammar takes, and its effect; see docs/simulator.md#faults. */
type FaultWord = {
	readonly field: keyof Fault;
	readonly valueKind:
		| 'nothing'
		| 'text'
		| 'texts'
		| {readonly min: number; readonly max: number}
		| {readonly oneOf: readonly string[]};
	readonly means: string;
};

const countRange = {min: 0, max: 1_000_000_000};
const positiveRange = {min: 1, max: 1_000_000_000};
const millisecondsRange = {min: 0, max: 600_000};
const statusRange = {min: 200, max: 599};

/** The words of the grammar, in the order of `formatFault`. */
export const faultWords: Readonly<Record<string, FaultWord>> = {
	latency: {field: 'latency', valueKind: millisecondsRange, means: 'waits this many milliseconds first'},
	hang: {field: 'hang', valueKind: 'nothing', means: 'never answers'},
	status: {field: 'status', valueKind: statusRange, means: 'answers with this status and does nothing'},
	code: {field: 'code', valueKind: countRange, means: 'the error code beside status'},
	message: {field: 'message', valueKind: 'text', means: 'the error text beside status'},
	'retry-after': {
		field: 'retryAfter',
		valueKind: 'text',
		means: 'the header beside status, seconds or a date',
	},
	'empty-errors': {field: 'emptyErrors', valueKind: 'nothing', means: 'refuses without any error'},
	html: {field: 'html', valueKind: statusRange, means: 'answers with a page of the edge; 403 is a challenge'},
	redirect: {field: 'redirect', valueKind: 'text', means: 'answers with a redirect to this address'},
	'max-body': {field: 'maxBody', valueKind: countRange, means: 'answers 413 to a body of more bytes'},
	'lost-answer': {field: 'lostAnswer', valueKind: 'nothing', means: 'does it, then cuts the connection'},
	'late-status': {
		field: 'lateStatus',
		valueKind: statusRange,
		means: 'does it, then answers with this status',
	},
	reset: {
		field: 'reset',
		valueKind: countRange,
		means: 'cuts the connection after this many bytes of the body',
	},
	drip: {field: 'drip', valueKind: positiveRange, means: 'sends the body in pieces of this many bytes'},
	pause: {
		field: 'pause',
		valueKind: millisecondsRange,
		means: 'milliseconds between the pieces; 10 if left out',
	},
	'refuse-keys': {field: 'refuseKeys', valueKind: 'texts', means: 'bulk writes refuse these keys (a,b,c)'},
	'old-bulk': {field: 'oldBulk', valueKind: 'nothing', means: 'bulk writes answer null'},
	'older-rename': {field: 'olderRename', valueKind: 'nothing', means: 'renaming a namespace answers null'},
	'null-errors': {field: 'nullErrors', valueKind: 'nothing', means: 'errors and messages are null'},
	'short-list': {field: 'shortList', valueKind: positiveRange, means: 'largest page of keys'},
	'absent-cursor': {field: 'absentCursor', valueKind: 'nothing', means: 'the last page has no cursor'},
	'encoded-keys': {
		field: 'encodedKeys',
		valueKind: 'nothing',
		means: 'namespaces do not decode keys in a URL, and say so',
	},
	'ignore-page': {field: 'ignorePage', valueKind: 'nothing', means: 'every page is the first one'},
	'stale-stage': {
		field: 'staleStage',
		valueKind: 'nothing',
		means: 'reports the stage before the last change',
	},
	stage: {field: 'stage', valueKind: 'text', means: 'reports this stage of a migration'},
	analytics: {
		field: 'analytics',
		valueKind: {oneOf: analyticsProblems},
		means: `queries fail in an answer 200: ${analyticsProblems.join(', ')}`,
	},
	'lacks-dataset': {
		field: 'lacksDataset',
		valueKind: 'texts',
		means: 'the schema of queries lacks these datasets (a,b)',
	},
	'lacks-dimension': {
		field: 'lacksDimension',
		valueKind: 'texts',
		means: 'the schema of queries lacks these dimensions (a,b)',
	},
	'sample-interval': {
		field: 'sampleInterval',
		valueKind: positiveRange,
		means: 'queries count one in this many, and estimate the rest',
	},
	method: {field: 'method', valueKind: 'text', means: 'only requests with this method'},
	path: {field: 'path', valueKind: 'text', means: 'only requests with this in their path'},
	times: {field: 'times', valueKind: positiveRange, means: 'this many times, then never again'},
	after: {field: 'after', valueKind: countRange, means: 'skips this many requests first'},
};

/** Formats the help on the grammar: how to write a fault, and a line for each word. */
export function formatFaultHelp(): string {
	const words = Object.entries(faultWords).map(([name, {valueKind, means}]) => ({
		word: valueKind === 'nothing' ? name : `${name}=…`,
		means,
	}));
	const width = Math.max(...words.map(({word}) => word.length));
	return [
		'A fault is one or more of these words with spaces between them. --fault may be repeated; in the variable',
		'LEDGE_SIMULATE_FAULTS a semicolon separates faults. Spaces, ";", "," and "%" in values are percent-encoded.',
		...words.map(({word, means}) => `  ${word.padEnd(width)}  ${means}`),
	].join('\n');
}

/**
 * Parses faults: words `name` or `name=value` separated by white space make a fault, `;` or a line break ends
 * it. White space, `;`, `,` and `%` in values are percent-encoded. Fails with `usage` on anything else.
 */
export function parseFaults(text: string): Fault[] {
	return text
		.split(/[;\n]/)
		.map(faultText => faultText.trim())
		.filter(faultText => faultText !== '')
		.map(parseFault);
}

function parseFault(text: string): Fault {
	const reject = (why: string): never => {
		throw new SimulatorError('usage', `The fault "${text}" cannot be understood.`, {
			why,
			next: 'Write words such as: status=503 times=2 path=/values/. `ledge simulate --help` lists all words.',
		});
	};
	const fields = new Map<string, unknown>();
	for (const word of text.split(/\s+/)) {
		const equalsIndex = word.indexOf('=');
		const name = equalsIndex < 0 ? word : word.slice(0, equalsIndex);
		const faultWord = Object.hasOwn(faultWords, name) ? faultWords[name] : undefined;
		if (!faultWord)
			return reject(`There is no word "${name}". There are: ${Object.keys(faultWords).join(', ')}.`);
		if (fields.has(faultWord.field)) return reject(`"${name}" stands twice.`);
		const value = parseWordValue(
			faultWord.valueKind,
			equalsIndex < 0 ? undefined : word.slice(equalsIndex + 1),
		);
		if (value instanceof InvalidValue) return reject(`"${name}" takes ${value.expected}.`);
		fields.set(faultWord.field, faultWord.field === 'method' ? String(value).toUpperCase() : value);
	}
	const fault = Object.fromEntries(fields) as Fault;
	const contradiction = findContradiction(fault);
	return contradiction === undefined ? fault : reject(contradiction);
}

class InvalidValue {
	readonly expected: string;
	constructor(expected: string) {
		this.expected = expected;
	}
}

function parseWordValue(valueKind: FaultWord['valueKind'], value: string | undefined): unknown {
	if (valueKind === 'nothing') return value === undefined ? true : new InvalidValue('no value');
	if (typeof valueKind === 'object' && 'oneOf' in valueKind)
		return value !== undefined && valueKind.oneOf.includes(value)
			? value
			: new InvalidValue(`one of ${valueKind.oneOf.join(', ')}`);
	if (typeof valueKind === 'object') {
		const {min, max} = valueKind;
		const isValid =
			value !== undefined && /^\d{1,10}$/.test(value) && Number(value) >= min && Number(value) <= max;
		return isValid ? Number(value) : new InvalidValue(`a whole number from ${min} to ${max}`);
	}
	const texts = (valueKind === 'texts' ? (value ?? '').split(',') : [value ?? '']).map(one =>
		attempt(() => decodeURIComponent(one)),
	);
	if (texts.some(text => text === undefined || text === ''))
		return new InvalidValue('a text, percent-encoded');
	return valueKind === 'texts' ? texts : texts[0];
}

function findContradiction(fault: Fault): string | undefined {
	const {hang, status, emptyErrors, html, redirect, lateStatus, lostAnswer, reset, drip, pause} = fault;
	const replacements = [hang, status ?? emptyErrors, html, redirect].filter(effect => effect !== undefined);
	if (replacements.length > 1)
		return 'Only one of hang, status, html and redirect can take the place of the answer.';
	if (lateStatus !== undefined && (replacements.length > 0 || lostAnswer))
		return '"late-status" needs an answer to take the place of.';
	if (lostAnswer && reset !== undefined) return 'An answer is lost whole, or cut: not both.';
	if (pause !== undefined && drip === undefined) return '"pause" needs "drip".';
	if (status === undefined && (fault.code ?? fault.message ?? fault.retryAfter) !== undefined)
		return '"code", "message" and "retry-after" need "status".';
	if (/[^ -~]/.test(`${fault.retryAfter ?? ''}${redirect ?? ''}`))
		return '"retry-after" and "redirect" are headers: printable ASCII only.';
	const filterFields: readonly string[] = ['method', 'path', 'times', 'after'];
	if (Object.keys(fault).every(field => filterFields.includes(field))) return 'It has no effect.';
	return undefined;
}

/** Formats a fault for `parseFaults`. */
export function formatFault(fault: Fault): string {
	const words: string[] = [];
	for (const [name, {field}] of Object.entries(faultWords)) {
		const value = fault[field];
		if (value === undefined) continue;
		if (value === true) words.push(name);
		else if (Array.isArray(value)) words.push(`${name}=${value.map(encodeURIComponent).join(',')}`);
		else words.push(`${name}=${encodeURIComponent(String(value))}`);
	}
	return words.join(' ');
}
