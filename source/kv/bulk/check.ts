import {createHash} from 'node:crypto';
import {Failure} from '../../failure.ts';
import type {Ranges} from '../../text/ranges.ts';
import {shouldWarnAboutKey} from '../limits.ts';
import {type BulkFormat, type EntryProblem, formatEntryProblem, type Item} from './entries.ts';
import {type BulkInput, readElements} from './input.ts';
import {RepeatFinder, type Repeats} from './repeats.ts';
import type {Element} from './splitter.ts';

/** A fully read bulk file: its content and its problems. */
export type CheckedInput<Content> = {
	readonly input: BulkInput;
	readonly format: BulkFormat<Content>;
	/** SHA-256 of the content in hex. */
	readonly digest: string;
	/** The time lifetimes were checked against, in UNIX seconds. */
	readonly now: number;
	readonly entries: number;
	/** Valid entries, including those sent before. */
	readonly validCount: number;
	/** Entries of an export that are left out, because they have expired or will within a minute. */
	readonly expired: number;
	readonly problems: readonly EntryProblem[];
	readonly problemCount: number;
	readonly samples: readonly string[];
	readonly repeats: Repeats;
	/** Entries with unknown properties, which are not sent, and the first of these names. */
	readonly unknown: {readonly entries: number; readonly names: readonly string[]};
	/** Keys with whitespace or control characters, and the first of them. */
	readonly oddKeys: {readonly entries: number; readonly samples: readonly string[]};
};

export type CheckOptions<Content = unknown> = {
	/** UNIX seconds. */
	readonly now: number;
	readonly signal: AbortSignal;
	/** Entries that the job sent earlier; they are not checked again. */
	readonly sentEntries?: Ranges;
	/** Number of problems to keep for messages; default 12. */
	readonly problemLimit?: number;
	readonly progress?: (bytes: number, size: number) => void;
	/** Called for each valid entry with its location; repeated keys are then not detected. */
	readonly onItem?: (item: Item<Content>, element: Element) => void;
};

const defaultProblemLimit = 12;
const sampleLimit = 10;
const nameLimit = 5;

/**
 * Reads a bulk file once (twice if keys seem repeated) and checks everything that can be checked offline.
 * Memory does not grow with the file. Fails with `input_malformed` if the file is not an array; problems of
 * entries are counted, and reported by `refuseProblems`.
 */
export async function checkInput<Content>(
	input: BulkInput,
	format: BulkFormat<Content>,
	{now, signal, sentEntries, problemLimit = defaultProblemLimit, progress, onItem}: CheckOptions<Content>,
): Promise<CheckedInput<Content>> {
	const hash = createHash('sha256');
	const repeats = new RepeatFinder(onItem ? 0 : input.size);
	const problems: EntryProblem[] = [];
	const unknownNames = new Set<string>();
	const samples: string[] = [];
	const oddSamples: string[] = [];
	let problemCount = 0;
	let expired = 0;
	let entries = 0;
	let unknownEntries = 0;
	let oddEntries = 0;
	let bytes = 0;
	const tap = (chunk: Buffer) => {
		hash.update(chunk);
		bytes += chunk.length;
		progress?.(bytes, input.size);
	};
	for await (const group of readElements(input, format.contents, signal, tap)) {
		entries += group.length;
		for (const element of group) {
			const item = format.parse(element, now);
			if ('problem' in item) {
				if (sentEntries?.has(element.number)) continue;
				if (item.problem.isOver) expired++;
				else if (problemCount++ < problemLimit) problems.push(item.problem);
				continue;
			}
			if (onItem) onItem(item, element);
			else repeats.note(item.key);
			if (samples.length < sampleLimit) samples.push(item.key);
			if (item.unknown.length > 0) {
				unknownEntries++;
				for (const name of item.unknown) if (unknownNames.size < nameLimit) unknownNames.add(name);
			}
			if (shouldWarnAboutKey(item.key) && oddEntries++ < nameLimit) oddSamples.push(item.key);
		}
	}
	if (repeats.mustCount) {
		for await (const group of readElements(input, format.contents, signal)) {
			for (const element of group) {
				const item = format.parse(element, now);
				if (!('problem' in item)) repeats.count(item.key, item.number);
			}
		}
	}
	return {
		input,
		format,
		digest: hash.digest('hex'),
		now,
		entries,
		validCount: entries - problemCount - expired,
		expired,
		problems,
		problemCount,
		samples,
		repeats: repeats.getRepeats(),
		unknown: {entries: unknownEntries, names: [...unknownNames]},
		oddKeys: {entries: oddEntries, samples: oddSamples},
	};
}

/** Fails with `input_malformed`, naming the first problems, if there are any. */
export function refuseProblems(
	{input, entries, problems, problemCount}: CheckedInput<unknown>,
	next = 'Correct the file, or use --skip-invalid to go ahead with the rest.',
): void {
	if (problemCount === 0) return;
	const unlistedCount = problemCount - problems.length;
	throw new Failure(
		'input_malformed',
		`${entries === 1 ? 'The only entry' : `${problemCount} of the ${entries} entries`} in ${input.label} cannot be used. Nothing was sent.`,
		{
			why: [
				...problems.map(formatEntryProblem),
				...(unlistedCount > 0 ? [`and ${unlistedCount} more`] : []),
			].join('\n'),
			next,
		},
	);
}

/**
 * Lists warnings to show before sending, one sentence each. `isOrdered`: of repeated keys, the last entry
 * wins.
 */
export function listInputWarnings(
	{repeats, unknown, oddKeys}: CheckedInput<unknown>,
	isOrdered: boolean,
): string[] {
	const quoteList = (texts: readonly string[], totalCount: number) =>
		`${texts.map(text => JSON.stringify(text)).join(', ')}${totalCount > texts.length ? ', …' : ''}`;
	const warnings: string[] = [];
	if (repeats.keys > 0) {
		const effect = isOrdered ? 'the last entry for each wins' : 'each counts once';
		const samples = repeats.samples.slice(0, nameLimit).map(({key}) => key);
		warnings.push(
			repeats.exact
				? `Repeated keys: ${repeats.keys}; ${effect}: ${quoteList(samples, repeats.keys)}`
				: `Repeated keys: more than ${repeats.keys}; ${effect}.`,
		);
	}
	if (unknown.entries > 0) {
		warnings.push(
			`Entries with unknown properties, which are not sent: ${unknown.entries}; ${quoteList(unknown.names, unknown.names.length)}`,
		);
	}
	if (oddKeys.entries > 0) {
		warnings.push(
			`Keys with white space or control characters: ${oddKeys.entries}; ${quoteList(oddKeys.samples, oddKeys.entries)}`,
		);
	}
	return warnings;
}
