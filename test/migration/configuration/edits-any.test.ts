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
import {getRunCount} from '../../support/full.ts';
import {anyConfiguration} from '../support/configurations.ts';
import {anyEdit} from '../support/edits.ts';

/** Applies an edit; undefined if it is refused with one of the expected failures. */
function tryEdit(
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

/** Counts the fields unknown to ledge, which `anyConfiguration` all names `future`. */
const countUnknownFields = (value: unknown): number => JSON.stringify(value).split('"future"').length - 1;

describe('every edit', () => {
	test('keeps the configuration readable and its source unchanged', () => {
		fc.assert(
			fc.property(anyConfiguration, anyEdit, (configuration, edit) => {
				const before = JSON.stringify(configuration);
				const after = tryEdit(configuration, edit);
				expect(JSON.stringify(configuration)).toBe(before);
				if (after) expect(parseConfigurationJson(JSON.parse(JSON.stringify(after)), 'It')).toEqual(after);
			}),
			{numRuns: getRunCount(500)},
		);
	});

	test('loses no unknown field', () => {
		fc.assert(
			fc.property(anyConfiguration, anyEdit, (configuration, edit) => {
				const after = tryEdit(configuration, edit);
				if (!after || edit.kind === 'rule removed') return;
				expect(countUnknownFields(after)).toBe(countUnknownFields(configuration));
			}),
			{numRuns: getRunCount(500)},
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
