import fc, {type Arbitrary} from 'fast-check';
import {expect, test} from 'vitest';
import type {
	ConfigurationReview,
	EntryPointMark,
	MigrationRecord,
	RecordedCandidate,
	RecordedPut,
	RecordedValidation,
	VersionFigures,
} from '../../../source/migration/journal/record.ts';
import {parseMigrationRecord} from '../../../source/migration/journal/record.ts';
import type {Observation} from '../../../source/migration/machine/stage.ts';
import {migrationStates} from '../../../source/migration/machine/states.ts';
import {isJsonObject, type JsonValue} from '../../../source/text/json.ts';

/** An arbitrary for each field, so that a new field without one is a type error. */
type Fields<T> = {readonly [K in keyof Required<T>]: Arbitrary<T[K]>};

const text = fc.string({unit: 'binary'});
const figure = fc.nat();
const stage = fc.constantFrom('previous', 'validation', 'pending', 'complete', 'unknown');
const mode = fc.constantFrom('validation', 'pending');
const maybe = <T>(one: Arbitrary<T>): Arbitrary<T | undefined> => fc.option(one, {nil: undefined});

const mark = fc.record({version: text, fingerprint: text} satisfies Fields<EntryPointMark>);

const reviewed = fc.record({
	fingerprint: text,
	proposed: maybe(text),
	entryPoint: maybe(mark),
	rules: figure,
	at: figure,
} satisfies Fields<ConfigurationReview>);

const put = fc.record({
	mode,
	fingerprint: text,
	at: figure,
	before: fc.record({stage, version: maybe(text), fingerprint: maybe(text)} satisfies Fields<
		RecordedPut['before']
	>),
	came: maybe(fc.constantFrom('accepted', 'refused', 'lost', 'given up')),
	why: maybe(text),
	stored: maybe(mark),
	overwritten: maybe(fc.array(text)),
} satisfies Fields<RecordedPut>);

const seen = fc.record({
	at: figure,
	stage,
	check: fc.record({
		compatible: fc.boolean(),
		state: maybe(text),
		unanswered: maybe(text),
	} satisfies Fields<Observation['check']>),
	status: maybe(
		fc.record({
			state: maybe(text),
			newWaf: maybe(text),
			oldWaf: maybe(text),
			created: maybe(text),
			source: maybe(text),
		} satisfies Fields<NonNullable<Observation['status']>>),
	),
	entryPoint: maybe(
		fc.record({id: text, version: text, fingerprint: text, rules: figure} satisfies Fields<
			NonNullable<Observation['entryPoint']>
		>),
	),
} satisfies Fields<Observation>);

const versionFigures = fc.record({new: figure, previous: figure} satisfies Fields<VersionFigures>);

const validation = fc.record({
	since: figure,
	until: figure,
	isSampled: fc.boolean(),
	stopped: versionFigures,
	only: versionFigures,
	logged: versionFigures,
	candidates: fc.array(
		fc.record({
			rule: text,
			name: text,
			host: text,
			path: text,
			stopped: figure,
			addresses: maybe(figure),
			countries: maybe(figure),
		} satisfies Fields<RecordedCandidate>),
	),
	rate: maybe(fc.record({since: figure, until: figure, mostInHour: figure})),
} satisfies Fields<RecordedValidation>);

const anyRecord: Arbitrary<MigrationRecord> = fc.record({
	state: fc.constantFrom(...migrationStates),
	goal: maybe(mode),
	reviewed: maybe(reviewed),
	rehearsed: maybe(text),
	put: maybe(put),
	backup: maybe(fc.record({folder: text, objects: figure, at: figure})),
	seen: maybe(seen),
	validatingSince: maybe(figure),
	firstValidated: maybe(text),
	validation: maybe(validation),
	completed: maybe(figure),
	deletedOverrides: maybe(fc.array(text)),
	report: maybe(text),
} satisfies Fields<MigrationRecord>);

const toWrittenJson = (record: MigrationRecord): JsonValue => JSON.parse(JSON.stringify(record));

test('a record is read back as it was written', () => {
	fc.assert(
		fc.property(anyRecord, record => {
			expect(parseMigrationRecord(toWrittenJson(record))).toEqual(record);
		}),
	);
});

test('a record with a field of another type is invalid', () => {
	fc.assert(
		fc.property(anyRecord, record => {
			const json = toWrittenJson(record);
			if (!isJsonObject(json)) throw new TypeError('A record is an object.');
			for (const name of Object.keys(json))
				expect(parseMigrationRecord({...json, [name]: [0]}), name).toBeUndefined();
		}),
	);
});

test.each([[null], [[]], ['reviewed'], [{}]])('%j is not a record', json => {
	expect(parseMigrationRecord(json)).toBeUndefined();
});

/**
 * Lines written by earlier versions: the first version, and the last one without deleted overrides and
 * validation figures.
 */
const firstVersionLine =
	'{"state":"reviewed","goal":"validation","reviewed":{"fingerprint":"f1","rules":2,"at":1},"seen":{"at":2,"stage":"previous","check":{"compatible":true}}}';
const lineBeforeFigures =
	'{"state":"validating","put":{"mode":"validation","fingerprint":"f1","at":3,"before":{"stage":"previous"},"came":"lost"},"backup":{"folder":"/b","objects":4,"at":2},"seen":{"at":5,"stage":"validation","check":{"compatible":true,"state":"s"},"status":{"state":"v"},"entryPoint":{"id":"e","version":"1","fingerprint":"f1","rules":2}},"validatingSince":5}';

test.each([[firstVersionLine], [lineBeforeFigures]])('a line of an earlier version is read: %s', line => {
	const json = JSON.parse(line);
	expect(parseMigrationRecord(json)).toEqual(json);
});

test('unknown fields are dropped, and none comes from a prototype', () => {
	const parsedRecord = parseMigrationRecord(
		JSON.parse('{"state":"blocked","later":1,"__proto__":{"goal":"pending"}}'),
	);
	expect(parsedRecord).toStrictEqual({state: 'blocked'});
	expect(parsedRecord?.goal).toBeUndefined();
});

test('lists are not objects, and null is not a missing field', () => {
	expect(parseMigrationRecord({state: 'blocked', goal: null})).toBeUndefined();
	const observation = {at: 1, stage: 'previous', check: {compatible: true}};
	expect(parseMigrationRecord({state: 'blocked', seen: {...observation, status: []}})).toBeUndefined();
});
