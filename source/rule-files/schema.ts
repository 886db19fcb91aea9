import {
	array,
	boolean,
	check,
	custom,
	exactOptional,
	type GenericSchema,
	looseObject,
	nonEmpty,
	number,
	type ObjectEntries,
	pipe,
	safeParse,
	strictObject,
	string,
} from 'valibot';
import type {RulesetRule} from '../rulesets/ruleset.ts';
import {formatDidYouMean} from '../text/closest-name.ts';
import {isJsonObject} from '../text/json.ts';
import type {SectionKey} from './sections.ts';

/** The data of a rules file. A missing section stays as it is in the zone; an empty one has no rules. */
export type RulesFileData = {
	/** The zone that the rules were exported from; information only. */
	readonly zone?: string;
} & {readonly [key in SectionKey]?: readonly RulesetRule[]};

/** A problem of a file, at the value or field that `path` leads to. */
export type RulesFileProblem = {
	readonly path: readonly (string | number)[];
	/** "unknown field "x"", "must be a text". */
	readonly sentence: string;
	readonly isUnknownField?: boolean;
};

const text = string('must be a text');
const requiredText = pipe(text, nonEmpty('must not be empty'));
const flag = boolean('must be true or false');
const object = custom<object>(isJsonObject, 'must be an object');
const wholeNumber = pipe(
	number('must be a number'),
	check(value => Number.isSafeInteger(value) && value >= 0, 'must be a whole number, 0 or more'),
);

const limitFields = {
	characteristics: pipe(array(requiredText, 'must be a list'), nonEmpty('must name at least one field')),
	period: wholeNumber,
	requests_per_period: exactOptional(wholeNumber),
	score_per_period: exactOptional(wholeNumber),
	score_response_header_name: exactOptional(requiredText),
	mitigation_timeout: exactOptional(wholeNumber),
	counting_expression: exactOptional(text),
	requests_to_origin: exactOptional(flag),
};

const ruleFields = {
	id: exactOptional(requiredText),
	ref: exactOptional(requiredText),
	description: exactOptional(text),
	action: requiredText,
	expression: requiredText,
	action_parameters: exactOptional(object),
	exposed_credential_check: exactOptional(object),
	enabled: exactOptional(flag),
	logging: exactOptional(buildObject({enabled: flag})),
};

/** All fields of rules and limits, for suggestions. */
const knownNames = [...Object.keys(ruleFields), 'ratelimit', ...Object.keys(limitFields)];

function buildObject(entries: ObjectEntries, allowUnknown = false): GenericSchema {
	return pipe(object as GenericSchema, allowUnknown ? looseObject(entries) : strictObject(entries));
}

/** Builds the schema; with `allowUnknown`, rules and limits may have further fields. */
function buildFileSchema(allowUnknown: boolean): GenericSchema {
	const buildList = (entries: ObjectEntries) =>
		exactOptional(
			array(buildObject(entries, allowUnknown), 'must be a list of rules; an empty list is written []'),
		);
	const rules = buildList(ruleFields);
	return buildObject({
		zone: exactOptional(requiredText),
		custom_rules: rules,
		rate_limits: buildList({...ruleFields, ratelimit: buildObject(limitFields, allowUnknown)}),
		managed_rules: rules,
	});
}

/** Checks parsed data. Returns the problems; without any, the value is a `RulesFileData`. */
export function findSchemaProblems(value: unknown, allowUnknown: boolean): readonly RulesFileProblem[] {
	const {issues = []} = safeParse(buildFileSchema(allowUnknown), value);
	return issues.map(({expected, message, path: items = []}) => {
		const path = items.map(({key}) => key as string | number);
		const name = String(path.at(-1) ?? '');
		if (items.at(-1)?.origin !== 'key') return {path, sentence: `${describePlace(path.at(-1))} ${message}`};
		if (expected === 'never')
			return {
				path,
				sentence: `unknown field "${name}". ${formatDidYouMean(name, knownNames)}`.trimEnd(),
				isUnknownField: true,
			};
		return {path: path.slice(0, -1), sentence: `the field "${name}" is missing`};
	});
}

function describePlace(name: string | number | undefined): string {
	if (name === undefined) return 'the file';
	return typeof name === 'number' ? `item ${name + 1}` : `"${name}"`;
}
