import {createHash} from 'node:crypto';
import {Failure} from '../../failure.ts';
import {findClosestName} from '../../text/closest-name.ts';
import {formatPlainQuantity} from '../../text/figures.ts';
import type {Ranges} from '../../text/ranges.ts';
import {shouldWarnAboutKey} from '../limits.ts';
import {
	type BulkFormat,
	type EntryProblem,
	formatEntryProblem,
	type Item,
	knownEntryProperties,
} from './entries.ts';
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
	readonly entryCount: number;
	/** Valid entries, including those sent before. */
	readonly validCount: number;
	/** Entries of an export that are left out, because they have expired or will within a minute. */
	readonly expiredCount: number;
	readonly problems: readonly EntryProblem[];
	readonly problemCount: number;
	readonly samples: readonly string[];
	readonly repeats: Repeats;
	/** Unknown properties, which are not sent: how many entries have some, and the first of their names. */
	readonly unknownProperties: {readonly entryCount: number; readonly names: readonly string[]};
	/** Keys with whitespace or control characters, and the first of them. */
	readonly oddKeys: {readonly entryCount: number; readonly samples: readonly string[]};
};

export type CheckOptions<Content = unknown> = {
	/** UNIX seconds. */
	readonly now: number;
	readonly signal: AbortSignal;
	/** Entries that the job sent earlier: problems that they have now are ignored. */
	readonly sentEntries?: Ranges;
	/** Number of problems to keep for messages; default 12. */
	readonly problemLimit?: number;
	readonly progress?: (bytes: number, size: number) => void;
	/** Called for each valid entry with its location; repeated keys are then not detected. */
	readonly onItem?: (item: Item<Content>, element: Element) => void;
};

const defaultProblemLimit = 12;
const sampleLimit = 10;
const maxNamesPerWarning = 5;

/**
 * Reads a bulk file once (twice if keys seem repeated) and checks everything that can be checked offline.
 * Memory does not grow with the file. Fails with `input_malformed` if the file is neither an array nor one
 * element per line; problems of entries are counted, and reported by `refuseProblems`.
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
	let expiredCount = 0;
	let entryCount = 0;
	let unknownEntryCount = 0;
	let oddEntryCount = 0;
	let bytes = 0;
	const tap = (chunk: Buffer) => {
		hash.update(chunk);
		bytes += chunk.length;
		progress?.(bytes, input.size);
	};
	for await (const group of readElements(input, format, signal, tap)) {
		entryCount += group.length;
		for (const element of group) {
			const item = format.parse(element, now);
			if ('problem' in item) {
				if (sentEntries?.has(element.number)) continue;
				if (item.problem.isOnlyExpired) expiredCount++;
				else if (problemCount++ < problemLimit) problems.push(item.problem);
				continue;
			}
			if (onItem) onItem(item, element);
			else repeats.note(item.key);
			if (samples.length < sampleLimit) samples.push(item.key);
			if (item.unknownProperties.length > 0) {
				unknownEntryCount++;
				for (const name of item.unknownProperties)
					if (unknownNames.size < maxNamesPerWarning) unknownNames.add(name);
			}
			if (shouldWarnAboutKey(item.key) && oddEntryCount++ < maxNamesPerWarning) oddSamples.push(item.key);
		}
	}
	if (repeats.mustCount) {
		for await (const group of readElements(input, format, signal)) {
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
		entryCount,
		validCount: entryCount - problemCount - expiredCount,
		expiredCount,
		problems,
		problemCount,
		samples,
		repeats: repeats.getRepeats(),
		unknownProperties: {entryCount: unknownEntryCount, names: [...unknownNames]},
		oddKeys: {entryCount: oddEntryCount, samples: oddSamples},
	};
}

/** Fails with `input_malformed`, naming the first problems, if there are any. */
export function refuseProblems(
	{input, entryCount, problems, problemCount}: CheckedInput<unknown>,
	next = 'Correct the file, or use --skip-invalid to go ahead with the rest.',
): void {
	if (problemCount === 0) return;
	const unlistedCount = problemCount - problems.length;
	throw new Failure(
		'input_malformed',
		`${entryCount === 1 ? 'The only entry' : `${problemCount} of the ${entryCount} entries`} in ${input.label} cannot be used. Nothing was sent.`,
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
	{repeats, unknownProperties, oddKeys}: CheckedInput<unknown>,
	{isOrdered}: {readonly isOrdered: boolean},
): string[] {
	const quoteList = (texts: readonly string[], totalCount: number) =>
		`${texts.map(text => JSON.stringify(text)).join(', ')}${totalCount > texts.length ? ', …' : ''}`;
	const warnings: string[] = [];
	if (repeats.keyCount > 0) {
		const effect = isOrdered ? 'the last entry for each wins' : 'each counts once';
		const samples = repeats.samples.slice(0, maxNamesPerWarning).map(({key}) => key);
		warnings.push(
			repeats.isExact
				? `Repeated keys: ${repeats.keyCount}; ${effect}: ${quoteList(samples, repeats.keyCount)}`
				: `Repeated keys: more than ${repeats.keyCount}; ${effect}.`,
		);
	}
	if (unknownProperties.entryCount > 0) {
		warnings.push(describeUnknownProperties(unknownProperties));
	}
	if (oddKeys.entryCount > 0) {
		warnings.push(
			`Keys with white space or control characters: ${oddKeys.entryCount}; ${quoteList(oddKeys.samples, oddKeys.entryCount)}`,
		);
	}
	return warnings;
}

/** Says that properties are left out, not their entries, and names the properties that were probably meant. */
function describeUnknownProperties({entryCount, names}: CheckedInput<unknown>['unknownProperties']): string {
	const entriesText = formatPlainQuantity(entryCount, 'entry', 'entries');
	const sentence =
		names.length === 1
			? `The property ${JSON.stringify(names[0])} of ${entriesText} is unknown and is not sent.`
			: `The properties ${names.map(name => JSON.stringify(name)).join(', ')} of ${entriesText} are unknown and are not sent.`;
	const knownNames = [...knownEntryProperties];
	const meantNames = new Set(
		names.flatMap(
			name =>
				findClosestName(name, knownNames) ??
				knownNames.find(known => known.split('_').includes(name.toLowerCase())) ??
				[],
		),
	);
	return meantNames.size === 0
		? sentence
		: `${sentence} Did you mean ${[...meantNames].map(name => JSON.stringify(name)).join(', ')}?`;
}
