import {isDeepStrictEqual} from 'node:util';
import {text} from '../../service/reading.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';

/** A URI-based override of the previous managed rules. */
export type WafOverride = {
	readonly id: string;
	readonly urls: readonly string[];
	/** Actions by the id of the group. */
	readonly groups: Readonly<Record<string, string>>;
	/** Actions by the id of the rule. */
	readonly rules: Readonly<Record<string, string>>;
	/** Action by action. */
	readonly rewriteAction: Readonly<Record<string, string>>;
	readonly paused: boolean;
	readonly priority: number | undefined;
	readonly description: string | undefined;
	/** As the service gave it. */
	readonly raw: JsonObject;
};

/** An override out of an answer or a backup; what this ledge does not know of it stays in `raw`. */
export function readOverride(raw: JsonObject): WafOverride {
	const {urls, groups, rules, rewrite_action, paused, priority, description} = raw;
	return {
		id: text(raw, 'id', 'an override'),
		urls: Array.isArray(urls) ? urls.filter(url => typeof url === 'string') : [],
		groups: actionsOf(groups),
		rules: actionsOf(rules),
		rewriteAction: actionsOf(rewrite_action),
		paused: paused === true,
		priority: typeof priority === 'number' ? priority : undefined,
		description: typeof description === 'string' && description !== '' ? description : undefined,
		raw,
	};
}

const actionsOf = (value: JsonValue | undefined): Readonly<Record<string, string>> =>
	isJsonObject(value)
		? Object.fromEntries(
				Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
			)
		: {};

/** What the service adds to an override, and is therefore neither sent nor compared. */
const givenByService: ReadonlySet<string> = new Set(['id', 'zone_id', 'created_on', 'modified_on']);

/**
 * An override as it is sent to have it back: all that it says, known to us or not, without what the service adds by
 * itself, and without what says nothing (`null`, or no group at all).
 */
export function overrideBody(raw: JsonObject): JsonObject {
	const said = Object.entries(raw).filter(
		([name, value]) => !givenByService.has(name) && value !== null && !isNothing(value),
	);
	return Object.fromEntries(said);
}

const isNothing = (value: JsonValue): boolean => isJsonObject(value) && Object.keys(value).length === 0;

/**
 * Whether two overrides do and say the same, whatever their ids are: all that they say, known to ledge or not. What
 * is so where nothing is said counts as said.
 */
export const isSameOverride = (one: WafOverride, other: WafOverride): boolean =>
	isDeepStrictEqual(compared(one), compared(other));

const compared = ({raw}: WafOverride): JsonObject => ({
	priority: 0,
	paused: false,
	description: '',
	...overrideBody(raw),
});
