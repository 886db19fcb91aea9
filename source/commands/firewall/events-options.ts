import {isIP} from 'node:net';
import type {EventFilter} from '../../analytics/event-query.ts';
import {knownActions, knownSources, parseActionWord, parseSourceWord} from '../../analytics/event-words.ts';
import {type GroupWord, groupWords} from '../../events/grouped.ts';
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
		'from then on: 30m, 24h, 7d, or a time such as "2026-11-22 09:14" (24h)',
	),
	createValueOption('--until <time>', 'up to then, written in the same way (now)'),
	createListOption('--rule <id>', 'only of this rule'),
	withCompletion(
		createListOption('--action <action>', `only with this action: ${knownActions.join(', ')}`),
		knownActions,
	),
	withCompletion(createListOption('--source <source>', 'only from this product, see below'), knownSources),
	createListOption('--path <path>', 'only requests of exactly this path'),
	createListOption('--country <code>', 'only from this country: DE'),
	createListOption('--ip <address>', 'only from this address'),
	createListOption('--host <name>', 'only requests to this host'),
	createListOption('--ray <id>', 'only of this request'),
	withCompletion(createListOption('--group-by <words>', `how many there are by ${groupWords.join(', ')}`), {
		parts: groupWords,
	}),
	createNumberOption('--limit <n>', 'the latest so many events (100), or the most frequent groups (50)', 1),
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
	if (since >= until)
		throw new Failure('usage', 'The time that is asked for ends before it begins.', {
			why: `It is from ${new Date(since).toISOString()} to ${new Date(until).toISOString()}.`,
		});
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
	throw new Failure('usage', `${option} takes a span such as 30m, 24h or 7d, or a time.`, {
		why: `This is "${text}".`,
		next: 'Write a time as 2026-11-22 or "2026-11-22 09:14" (UTC).',
	});
}

function parseCountry(text: string): string {
	if (/^[a-z][a-z0-9]$/i.test(text)) return text.toUpperCase();
	throw new Failure('usage', '--country takes a code of two characters.', {
		why: `This is "${text}".`,
		next: 'Write DE for Germany, for example.',
	});
}

function parsePath(text: string): string {
	if (text.startsWith('/')) return text;
	throw new Failure('usage', '--path takes a whole path, which begins with "/".', {
		why: `This is "${text}".`,
		next: 'See the paths that have events: --group-by path.',
	});
}

function parseAddress(text: string): string {
	if (isIP(text) > 0) return text;
	throw new Failure('usage', '--ip takes one address.', {
		why: `This is "${text}".`,
		next: 'Networks cannot be asked for; give --ip several times for several addresses.',
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
					`${option} "${word}" is not known here. ${formatDidYouMean(word, knownWords)}The words are in \`ledge firewall events --help\`.`,
			);
	return [
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
	if (groupBy.length > 0 && groups.length === 0) throw new Failure('usage', '--group-by names nothing.');
	if (groups.length > 0 && ray)
		throw new Failure('usage', 'A ray is one request, which is not grouped.', {
			next: 'Leave --ray or --group-by out.',
		});
	if (groups.length > 0 && follow)
		throw new Failure('usage', '--follow prints single events, which are not grouped.', {
			next: 'Leave --follow or --group-by out.',
		});
	return groups;
}

/** Column titles that `--group-by` also accepts. */
const columnWords: Readonly<Partial<Record<string, GroupWord>>> = {address: 'ip', from: 'country'};

function parseGroupWord(word: string): GroupWord {
	const groupWord = groupWords.find(one => one === word) ?? columnWords[word];
	if (groupWord) return groupWord;
	throw new Failure('usage', `Events cannot be grouped by "${word}".`, {
		why: `They can be by: ${groupWords.join(', ')}.`,
		next: `${formatDidYouMean(word, groupWords)}Separate them by commas: --group-by rule,path.`,
	});
}
