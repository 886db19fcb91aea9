import {isDeepStrictEqual} from 'node:util';
import {requireText} from '../../service/response-fields.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';

/** A URI override of the previous managed rules. */
export type WafOverride = {
	readonly id: string;
	readonly urls: readonly string[];
	/** Actions by group id. */
	readonly groups: Readonly<Record<string, string>>;
	/** Actions by rule id. */
	readonly rules: Readonly<Record<string, string>>;
	/** Replacement actions, by the action they replace. */
	readonly rewriteAction: Readonly<Record<string, string>>;
	readonly paused: boolean;
	readonly priority: number | undefined;
	readonly description: string | undefined;
	/** As the service sent it. */
	readonly raw: JsonObject;
};

/** Parses an override from a response or a backup. `raw` keeps the unknown fields. */
export function parseWafOverride(raw: JsonObject): WafOverride {
	const {urls, groups, rules, rewrite_action, paused, priority, description} = raw;
	return {
		id: requireText(raw, 'id', 'an override'),
		urls: Array.isArray(urls) ? urls.filter(url => typeof url === 'string') : [],
		groups: parseActions(groups),
		rules: parseActions(rules),
		rewriteAction: parseActions(rewrite_action),
		paused: paused === true,
		priority: typeof priority === 'number' ? priority : undefined,
		description: typeof description === 'string' && description !== '' ? description : undefined,
		raw,
	};
}

const parseActions = (value: JsonValue | undefined): Readonly<Record<string, string>> =>
	isJsonObject(value)
		? Object.fromEntries(
				Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
			)
		: {};

/** Fields that the service adds to an override; neither sent nor compared. */
const serviceFields: ReadonlySet<string> = new Set(['id', 'zone_id', 'created_on', 'modified_on']);

/**
 * Builds the body that recreates an override, with all its fields, known or not. Omits fields that the
 * service sets, and empty ones (`null`, `{}`).
 */
export function buildOverrideBody(raw: JsonObject): JsonObject {
	const filledFields = Object.entries(raw).filter(
		([name, value]) => !serviceFields.has(name) && value !== null && !isEmptyObject(value),
	);
	return Object.fromEntries(filledFields);
}

const isEmptyObject = (value: JsonValue): boolean => isJsonObject(value) && Object.keys(value).length === 0;

/**
 * True if two overrides have the same content, including unknown fields but not ids. A missing field equals
 * its default.
 */
export const isSameOverride = (one: WafOverride, other: WafOverride): boolean =>
	isDeepStrictEqual(toComparableOverride(one), toComparableOverride(other));

const toComparableOverride = ({raw}: WafOverride): JsonObject => ({
	priority: 0,
	paused: false,
	description: '',
	...buildOverrideBody(raw),
});
