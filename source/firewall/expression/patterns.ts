import {attempt} from '../../text/attempt.ts';
import {runStoppable} from '../../text/run-stoppable.ts';

/** Time limit per match, in milliseconds. An ordinary pattern takes less than a thousandth of it. */
const matchTimeoutMs = 250;

/** Patterns that exceeded the time limit, which are not tried again. */
const slowPatterns = new Set<string>();

/** True if a pattern matches; undefined if JavaScript cannot parse it or exceeds the time limit. */
export function testPattern(value: string, pattern: RegExp | undefined): boolean | undefined {
	if (!pattern || slowPatterns.has(pattern.source)) return undefined;
	if (isQuick(pattern.source)) return pattern.test(value);
	return runStoppable(
		() => pattern.test(value),
		matchTimeoutMs,
		() => {
			if (slowPatterns.size >= 100) slowPatterns.clear();
			slowPatterns.add(pattern.source);
			return undefined;
		},
	);
}

/** True if a pattern has few repetitions and none of a group, so that it needs no time limit. */
const isQuick = (source: string): boolean =>
	(source.match(/[*+?{]/g)?.length ?? 0) <= 3 && !/\)[*+?{]/.test(source);

/** Escapes that JavaScript reads differently: `\A`, `\z`, `\x{41}`. */
const otherEscapes = /\\(?:[AzaUupP<>]|[xb]\{)/;
/** Syntax that JavaScript reads differently: `[]a]`, `[[:alpha:]]`, `[a&&b]`, `{,3}`. */
const otherSyntax = /\[\^?\]|\[[^\]]*(?:\[|&&|--|~~)|\{,/;

/** Recently converted patterns: an expression is evaluated for many requests in a row. */
const convertedPatterns = new Map<string, RegExp | undefined>();

/**
 * Converts a regular expression of the service to JavaScript; undefined if JavaScript cannot parse it, or
 * reads it differently.
 */
export function toRegExp(pattern: string): RegExp | undefined {
	if (convertedPatterns.has(pattern)) return convertedPatterns.get(pattern);
	if (convertedPatterns.size >= 100) convertedPatterns.clear();
	const regExp = convertPattern(pattern);
	convertedPatterns.set(pattern, regExp);
	return regExp;
}

function convertPattern(pattern: string): RegExp | undefined {
	const [, flags = '', body = ''] = /^(?:\(\?([a-z]+)\))?([\s\S]*)$/.exec(pattern) ?? [];
	if (/[^imsu]/.test(flags) || otherEscapes.test(body.replaceAll('\\\\', ''))) return undefined;
	if (otherSyntax.test(body.replace(/\\[\s\S]/g, '_'))) return undefined;
	return attempt(() => new RegExp(body, flags.replace('u', '')));
}

/** Converts a wildcard pattern: `*` is any text; `\*` and `\\` are these characters. */
export function wildcardToRegExp(pattern: string, flags: string): RegExp {
	const source = pattern.replace(/\\[*\\]|\*+|[.+?^${}()|[\]\\/]/g, part => {
		if (part.startsWith('*')) return '[^]*';
		return part.length === 2 ? part : `\\${part}`;
	});
	return new RegExp(`^${source}$`, flags);
}
