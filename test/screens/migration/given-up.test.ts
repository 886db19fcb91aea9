import {describe, expect, test} from 'vitest';
import {getTheme} from '../../../source/components/theme.ts';
import {formatFingerprint} from '../../../source/migration/configuration/configuration.ts';
import {getResumeStep} from '../../../source/screens/migration/state.ts';
import {buildLostPutRows} from '../../../source/screens/migration/view/deploy.ts';
import {buildPut, configurationFingerprint, migrationWith, now} from '../support/migration.ts';

const area = {columns: 400, rows: 30, side: undefined, marks: getTheme('dark', true).marks, now};
const resumeAfterGivenUpPut = (fingerprint: string) => {
	const {record} = migrationWith({});
	const givenUpPut = {...buildPut('pending', {came: 'given up'}), fingerprint};
	const migration = migrationWith({record: {...record, state: 'reviewed', goal: 'pending', put: givenUpPut}});
	const text = buildLostPutRows(migration, area)
		.map(row => row.map(piece => piece.text).join(''))
		.join(' ');
	return {step: getResumeStep(migration.record), text};
};

describe('after a PUT that never arrived', () => {
	test('the same configuration is offered again', () => {
		const {step, text} = resumeAfterGivenUpPut(configurationFingerprint);
		expect(step).toBe('confirm');
		expect(text).toContain('It can be sent again, after a new confirmation.');
	});

	test('a configuration reviewed since is not offered instead: the difference is reported', () => {
		const other = 'f'.repeat(16);
		const {step, text} = resumeAfterGivenUpPut(other);
		expect(step).toBe('path');
		expect(text).not.toContain('It can be sent again');
		expect(text).toContain(`with fingerprint ${formatFingerprint(other)}`);
		expect(text).toContain(
			`You have since reviewed another configuration: ${formatFingerprint(configurationFingerprint)}.`,
		);
	});
});
