import {describe, expect, test} from 'vitest';
import type {ManagedConfiguration} from '../../../source/migration/configuration/configuration.ts';
import {buildExceptionRule} from '../../../source/migration/configuration/exceptions.ts';
import {managedRulesets} from '../../../source/migration/configuration/mapping.ts';
import type {MigrationRecord, RecordedValidation} from '../../../source/migration/journal/record.ts';
import {buildValidationPart} from '../../../source/migration/report/validation.ts';

const {platform} = managedRulesets;
const ruleId = 'a'.repeat(32);
const validationStart = Date.UTC(2026, 10, 20, 12);
const first: ManagedConfiguration = {
	name: 'default',
	rules: [{action: 'execute', expression: 'true', action_parameters: {id: platform.id}}],
};
const exception = buildExceptionRule({
	expression: 'http.request.uri.path eq "/import"',
	skips: {kind: 'rules', rules: {[platform.id]: [ruleId]}},
	description: 'templates of | imports',
});
const last: ManagedConfiguration = {...first, rules: [exception, ...first.rules]};
const validation: RecordedValidation = {
	since: validationStart,
	until: validationStart + 3_600_000,
	isSampled: false,
	stopped: {new: 1204, previous: 31},
	only: {new: 1100, previous: 2},
	logged: {new: 17, previous: 0},
	candidates: [
		{rule: ruleId, name: 'Log4j <script>', host: 'one.example', path: '/import', stopped: 1000, addresses: 3},
	],
};
const createRecord = (change: Partial<MigrationRecord> = {}): MigrationRecord => ({
	state: 'complete',
	validatingSince: validationStart,
	validation,
	...change,
});
const buildText = (...parts: Parameters<typeof buildValidationPart>) =>
	buildValidationPart(...parts).join('\n\n');

describe('the results of validation in the report', () => {
	test('have the counts of each version, the start, the candidates and the added exceptions', () => {
		const report = buildText(createRecord(), {first, last});
		expect(report).toContain('Security events from 2026-11-20T12:00:00.000Z to 2026-11-20T13:00:00.000Z:');
		expect(report).toContain('| New managed rules | 1,204 | 1,100 | 17 |');
		expect(report).toContain('| Previous managed rules | 31 | 2 | 0 |');
		expect(report).toContain('Candidates for exceptions at the last reading: 1 rule at a path.');
		expect(report).toContain('| /import | 1,000 | 3 | could not be read |');
		expect(report).toMatch(/Exceptions added during validation:\n\n- .*skips 1 rule of Managed Ruleset/);
		expect(report).not.toContain('<script>');
	});

	test('describe estimates as approximate', () => {
		expect(buildText(createRecord({validation: {...validation, isSampled: true}}), {first, last})).toContain(
			'| New managed rules | about 1,204 |',
		);
	});

	test('do not count an exception that existed before validation', () => {
		expect(buildText(createRecord(), {first: last, last})).toContain(
			'Exceptions added during validation: none.',
		);
	});

	test('of an older journal, or without readable data, only say so', () => {
		const report = buildText(createRecord({validation: undefined}), {first: undefined, last});
		expect(report).toContain('Security events from that time could not be read.');
		expect(report).not.toContain('Exceptions');
	});

	test('are left out for a zone that was never in validation', () => {
		expect(buildValidationPart({state: 'complete'}, {first: undefined, last})).toEqual([]);
	});
});
