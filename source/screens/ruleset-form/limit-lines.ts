import {analyse} from '../../firewall/expression/expressions.ts';
import {parseRateLimit} from '../../firewall/rules/rate-limit.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import {parseFigure} from '../../text/figures.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';

/** The fields of a rate limit as lines of text. */
export type RateLimitTexts = {
	/** Requests allowed per period; empty if something else is counted. */
	readonly requests: string;
	/** Length of the period in seconds. */
	readonly period: string;
	/** Fields whose values are counted separately, separated by commas or spaces. */
	readonly characteristics: string;
	/** How long the action stays active, in seconds; empty if the rule does not say. */
	readonly timeout: string;
	/** Expression of counted requests, if it differs from the rule's. */
	readonly counting: string;
};

/**
 * The lines of a new rate limit. The service requires `cf.colo.id`: it counts in each of its data centers
 * (https://developers.cloudflare.com/waf/rate-limiting-rules/parameters/).
 */
const newLimitTexts: RateLimitTexts = {
	requests: '',
	period: '60',
	characteristics: 'cf.colo.id, ip.src',
	timeout: '60',
	counting: '',
};

/** The periods of the service, in seconds. */
const periods: readonly number[] = [10, 60, 120, 300, 600, 3600];

/** Formats the fields of a rate limit as lines; without a limit, those of a new one. */
export function formatRateLimitTexts(rule: RulesetRule | undefined): RateLimitTexts {
	if (!isJsonObject(rule?.ratelimit)) return newLimitTexts;
	const {requests, period, characteristics, timeout, countingExpression = ''} = parseRateLimit(rule);
	const toText = (value: number | undefined) => (value === undefined ? '' : String(value));
	return {
		requests: toText(requests),
		period: toText(period),
		characteristics: characteristics.join(', '),
		timeout: toText(timeout),
		counting: countingExpression,
	};
}

/** Returns the rule with the limit typed in lines; unchanged lines keep the value that the rule has. */
export function withRateLimitTexts(rule: RulesetRule, texts: RateLimitTexts): RulesetRule {
	const hasLimit = isJsonObject(rule.ratelimit);
	const before = hasLimit ? formatRateLimitTexts(rule) : undefined;
	const {counting} = texts;
	const fields: Readonly<
		Record<keyof RateLimitTexts, readonly [name: string, value: JsonValue | undefined]>
	> = {
		characteristics: ['characteristics', splitCharacteristics(texts.characteristics)],
		period: ['period', parseFigure(texts.period)],
		requests: ['requests_per_period', parseFigure(texts.requests)],
		timeout: ['mitigation_timeout', parseFigure(texts.timeout)],
		counting: ['counting_expression', counting.trim() === '' ? undefined : counting],
	};
	const limit: Record<string, JsonValue> = {...(hasLimit && (rule.ratelimit as JsonObject))};
	for (const [line, [name, value]] of Object.entries(fields)) {
		if (before?.[line as keyof RateLimitTexts] === texts[line as keyof RateLimitTexts]) continue;
		if (value === undefined) delete limit[name];
		else limit[name] = value;
	}
	return {...rule, ratelimit: limit};
}

/** Splits at commas and spaces, except those in quotes, indexes and calls. */
const splitCharacteristics = (text: string): readonly string[] =>
	text.match(/(?:[^\s,"([]|"[^"]*"?|\[(?:[^\]"]|"[^"]*"?)*\]?|\((?:[^()"]|"[^"]*"?|\([^()]*\)?)*\)?)+/g) ??
	[];

/**
 * Explains why a line of a rate limit is invalid, in a sentence; undefined if all are valid. `before`: the
 * changed rule, whose unchanged lines are not checked.
 */
export function findRateLimitProblem(
	texts: RateLimitTexts,
	before: RulesetRule | undefined,
): string | undefined {
	const unchangedTexts = before && formatRateLimitTexts(before);
	const isChanged = (line: keyof RateLimitTexts) => unchangedTexts?.[line] !== texts[line];
	const isWhole = (text: string, min: number) => (parseFigure(text) ?? -1) >= min;
	const countsOther = before !== undefined && parseRateLimit(before).unknownFields !== undefined;
	if (isChanged('requests') && !isWhole(texts.requests, 1) && !(countsOther && texts.requests.trim() === ''))
		return 'Type how many requests are allowed per period: 1 or more, not 0.';
	if (isChanged('period') && !periods.includes(parseFigure(texts.period) ?? 0))
		return 'Type the period in seconds: 10, 60, 120, 300, 600 or 3600.';
	if (isChanged('characteristics') && !splitCharacteristics(texts.characteristics).includes('cf.colo.id'))
		return 'Add cf.colo.id: the service always counts per data center.';
	if (isChanged('timeout') && texts.timeout.trim() !== '' && !isWhole(texts.timeout, 0))
		return 'Type how many seconds the action lasts: 0, 10, 60, 120, 300, 600, 3600 or 86400.';
	if (!isChanged('counting') || texts.counting.trim() === '') return undefined;
	// What each plan allows to count is less certain: the service decides.
	const [error] = analyse(texts.counting, {
		phase: 'http_ratelimit.counting_expression',
		allowUnknown: true,
	}).errors;
	return error && `Counted requests: ${error.sentence}`;
}
