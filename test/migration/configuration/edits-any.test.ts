import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {isFailure} from '../../../source/failure.ts';
import {
	type ManagedConfiguration,
	parseConfigurationJson,
} from '../../../source/migration/configuration/configuration.ts';
import {
	applyEdit,
	type ConfigurationEdit,
	formatEditSentence,
} from '../../../source/migration/configuration/edits.ts';
import {runs} from '../../support/full.ts';
import {anyConfiguration} from '../support/configurations.ts';
import {anyEdit} from '../support/edits.ts';

/** What an edit gives, or the failure with which it was refused. */
function outcome(
	configuration: ManagedConfiguration,
	edit: ConfigurationEdit,
): ManagedConfiguration | undefined {
	try {
		return applyEdit(configuration, edit);
	} catch (error) {
		expect(isFailure(error, 'usage', 'input_malformed')).toBe(true);
		return undefined;
	}
}

const futuresIn = (value: unknown): number => JSON.stringify(value).split('"future"').length - 1;

describe('every edit', () => {
	test('keeps the configuration readable and its source unchanged', () => {
		fc.assert(
			fc.property(anyConfiguration, anyEdit, (configuration, edit) => {
				const before = JSON.stringify(configuration);
				const after = outcome(configuration, edit);
				expect(JSON.stringify(configuration)).toBe(before);
				if (after) expect(parseConfigurationJson(JSON.parse(JSON.stringify(after)), 'It')).toEqual(after);
			}),
			{numRuns: runs(500)},
		);
	});

	test('loses no unknown field', () => {
		fc.assert(
			fc.property(anyConfiguration, anyEdit, (configuration, edit) => {
				const after = outcome(configuration, edit);
				if (!after || edit.kind === 'rule removed') return;
				expect(futuresIn(after)).toBe(futuresIn(configuration));
			}),
			{numRuns: runs(500)},
		);
	});

	test('is described in one sentence', () => {
		fc.assert(
			fc.property(anyEdit, edit => {
				expect(formatEditSentence(edit)).toMatch(/^[A-Z].*\.$/);
			}),
		);
	});
});
