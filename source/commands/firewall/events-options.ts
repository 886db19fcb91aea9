import {isIP} from 'node:net';
import type {EventFilter} from '../../analytics/event-query.ts';
import {knownActions, knownSources, parseActionWord, parseSourceWord} from '../../analytics/event-words.ts';
import {type GroupWord, groupWords} from '../../events/group-events.ts';
import {Failure} from '../../failure.ts';
import {formatDidYouMean} from '../../text/closest-name.ts';
import {parsePastTime} from '../../text/time-input.ts';
import {
	createListOption,
	createNumberOption,
	createSwitchOption,
	createValueOption,
	type OptionValues,
	withCompletion,
} from '../shell/declare.ts';

export const buildEventsOptions = () => [
	createValueOption(
		'--since <time>',
		'start time: 30m, 24h, 7d, or a time such as "2026-11-22 09:14" (default: 24h)',
	),
	createValueOption('--until <time>', 'end time, in the same format (default: now)'),
	createListOption('--rule <id>', 'only events of this rule'),
	withCompletion(
		createListOption('--action <action>', `only with this action: ${knownActions.join(', ')}`),
		knownActions,
	),
	withCompletion(
		createListOption('--source <source>', 'only from this product (listed below)'),
		knownSources,
	),
	createListOption('--path <path>', 'only requests for exactly this path'),
	createListOption('--country <code>', 'only from this country, such as DE'),
	createListOption('--ip <address>', 'only from this address'),
	createListOption('--host <name>', 'only requests to this host'),
	createListOption('--ray <id>', 'only this request'),
	withCompletion(createListOption('--group-by <words>', `count events by ${groupWords.join(', ')}`), {
		parts: groupWords,
	}),
	createNumberOption(
		'--limit <n>',
		'show the <n> latest events (default: 100) or most frequent groups (default: 50)',
		1,
	),
	createSwitchOption('--follow', 'print events as they appear, until ctrl-c'),
];

export type EventsOptions = OptionValues<typeof buildEventsOptions>;

/**
 * Builds the event filter from the options. `now`: milliseconds since the epoch; `defaultSpanMs`: the span
 * without `--since`.
 */
export function parseEventFilter(options: EventsOptions, now: number, defaultSpanMs: number): EventFilter {
	const since =
		options.since === undefined ? now - defaultSpanMs : parseTimeOption('--since', options.since, now);
	const until = options.until === undefined ? now : parseTimeOption('--until', options.until, now);
	refuseEmptyRange(since, until);
	const {rule, action, source, path, country, ip, host, ray} = options;
	return {
		since,
		until,
		rules: rule,
		actions: action?.flatMap(parseActionWord),
		sources: source?.flatMap(parseSourceWord),
		paths: path?.map(parsePath),
		countries: country?.map(parseCountry),
		addresses: ip?.map(parseAddress),
		hosts: host,
		rays: ray?.map(stripRayLocation),
	};
}

function parseTimeOption(option: string, text: string, now: number): number {
	const time = parsePastTime(text, now);
	if (time !== undefined) return time;
	throw new Failure('usage', `${option} takes a duration such as 30m, 24h or 7d, or a time.`, {
		why: `Got "${text}".`,
		next: 'Write a time as 2026-11-22 or "2026-11-22 09:14" (UTC).',
	});
}

function refuseEmptyRange(since: number, until: number): void {
	if (since < until) return;
	throw new Failure('usage', 'The time range must start before it ends.', {
		why: `It runs from ${new Date(since).toISOString()} to ${new Date(until).toISOString()}.`,
	});
}

/** Parses a time range that ends now, in milliseconds since the epoch. */
export function parseRangeUntilNow(option: string, text: string, now: number) {
	const since = parseTimeOption(option, text, now);
	refuseEmptyRange(since, now);
	return {since, until: now};
}

function parseCountry(text: string): string {
	if (/^[a-z][a-z0-9]$/i.test(text)) return text.toUpperCase();
	throw new Failure('usage', '--country takes a two-character code.', {
		why: `Got "${text}".`,
		next: 'Write DE for Germany, for example.',
	});
}

function parsePath(text: string): string {
	if (text.startsWith('/')) return text;
	throw new Failure('usage', '--path takes a full path, starting with "/".', {
		why: `Got "${text}".`,
		next: 'To list paths with events: --group-by path.',
	});
}

function parseAddress(text: string): string {
	if (isIP(text) > 0) return text;
	throw new Failure('usage', '--ip takes one address.', {
		why: `Got "${text}".`,
		next: "Networks aren't supported; repeat --ip for several addresses.",
	});
}

/** Describes actions and sources that ledge does not know, which may be misspelt. */
export function describeUnknownWords({action = [], source = []}: EventsOptions): readonly string[] {
	const describeUnknown = (
		option: string,
		words: readonly string[],
		resolveWord: typeof parseActionWord,
		knownWords: readonly string[],
	) =>
		words
			.filter(word => !resolveWord(word).every(one => knownWords.includes(one)))
			.map(
				word =>
					`${option} "${word}" is unknown to ledge. ${formatDidYouMean(word, knownWords)}For known values, see \`ledge firewall events --help\`.`,
			);
	return [
		// `parseActionWord` also returns js_challenge, another spelling of jschallenge.
		...describeUnknown('--action', action, parseActionWord, [...knownActions, 'js_challenge']),
		...describeUnknown('--source', source, parseSourceWord, knownSources),
	];
}

/** Removes the location code that error pages append to a ray ID: `8f3d2c1b0a9e8d7c-FRA`. */
const stripRayLocation = (ray: string): string => ray.trim().replace(/-[A-Z]{3}$/, '');

/** Parses the words of `--group-by`; empty if not given. */
export function parseGroups({groupBy = [], ray, follow}: EventsOptions): readonly GroupWord[] {
	const words = groupBy.flatMap(text => text.split(',')).map(word => word.trim().toLowerCase());
	const groups = [...new Set(words.filter(word => word !== '').map(parseGroupWord))];
	if (groupBy.length > 0 && groups.length === 0) throw new Failure('usage', '--group-by is empty.');
	if (groups.length > 0 && ray)
		throw new Failure('usage', "A ray is a single request, so it can't be grouped.", {
			next: 'Leave out --ray or --group-by.',
		});
	if (groups.length > 0 && follow)
		throw new Failure('usage', "--follow prints single events, so they can't be grouped.", {
			next: 'Leave out --follow or --group-by.',
		});
	return groups;
}

/** Column titles that `--group-by` also accepts. */
const columnWords: Readonly<Partial<Record<string, GroupWord>>> = {address: 'ip', from: 'country'};

function parseGroupWord(word: string): GroupWord {
	const groupWord = groupWords.find(one => one === word) ?? columnWords[word];
	if (groupWord) return groupWord;
	throw new Failure('usage', `Events can't be grouped by "${word}".`, {
		why: `Available groups: ${groupWords.join(', ')}.`,
		next: `${formatDidYouMean(word, groupWords)}Separate several with commas: --group-by rule,path.`,
	});
}
