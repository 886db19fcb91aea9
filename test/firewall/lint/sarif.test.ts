import * as v from 'valibot';
import {expect, test} from 'vitest';
import {type LintFinding, lintRules} from '../../../source/firewall/lint/findings.ts';
import {findAnyLint} from '../../../source/firewall/lint/rule-lints.ts';
import {buildSarifLog} from '../../../source/firewall/lint/sarif.ts';
import {groupTerraformRules} from '../../../source/firewall/lint/terraform.ts';
import {customPhase} from '../../../source/rulesets/ruleset.ts';
import {lintFile, now, writeRules} from './support.ts';

const text = v.pipe(v.string(), v.minLength(1));
const message = v.strictObject({text});
const level = v.picklist(['none', 'note', 'warning', 'error']);
const index = v.pipe(v.number(), v.integer(), v.minValue(0));
const position = v.pipe(v.number(), v.integer(), v.minValue(1));
/** A reference to a URI: without blanks, controls and what must be encoded. */
const uri = v.pipe(v.string(), v.regex(/^(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[0-9A-F]{2})+$/));

/** The parts of SARIF 2.1.0 that ledge writes, with what the standard requires of them and nothing else. */
const sarifLog = v.strictObject({
	$schema: uri,
	version: v.literal('2.1.0'),
	runs: v.array(
		v.strictObject({
			tool: v.strictObject({
				driver: v.strictObject({
					name: text,
					version: v.optional(text),
					rules: v.array(
						v.strictObject({
							id: text,
							shortDescription: v.optional(message),
							fullDescription: v.optional(message),
							defaultConfiguration: v.optional(v.strictObject({level})),
							helpUri: v.optional(v.pipe(v.string(), v.url())),
						}),
					),
				}),
			}),
			columnKind: v.picklist(['utf16CodeUnits', 'unicodeCodePoints']),
			results: v.array(
				v.strictObject({
					ruleId: text,
					ruleIndex: index,
					level,
					message,
					locations: v.array(
						v.strictObject({
							physicalLocation: v.optional(
								v.strictObject({
									artifactLocation: v.strictObject({uri}),
									region: v.optional(v.strictObject({startLine: position, startColumn: position})),
								}),
							),
							logicalLocations: v.pipe(
								v.array(v.strictObject({name: text, fullyQualifiedName: text, kind: text})),
								v.minLength(1),
							),
						}),
					),
				}),
			),
		}),
	),
});

/** Builds the log of some findings, as it is read from the file. */
function buildLog(findings: readonly LintFinding[]) {
	const log = buildSarifLog(findings, {
		version: '1.0.0',
		findLint: findAnyLint,
		toUri: file => encodeURIComponent(file),
	});
	return v.parse(sarifLog, JSON.parse(JSON.stringify(log)));
}

test('a log is valid SARIF, with lines for a file', () => {
	const findings = lintFile(
		writeRules('block http.hots eq "a"', 'block ssl', 'block ssl', 'log http.host eq ""'),
	);
	expect(new Set(findings.map(finding => finding.level))).toEqual(new Set(['error', 'warning']));
	const [run] = buildLog(findings).runs;
	expect(run?.results).toHaveLength(findings.length);
	for (const result of run?.results ?? []) {
		expect(run?.tool.driver.rules[result.ruleIndex]?.id).toBe(result.ruleId);
		expect(result.locations[0]?.physicalLocation?.region).toBeDefined();
	}
	expect(buildLog([]).runs[0]?.results).toEqual([]);
});

test('of Terraform, it has addresses and no lines', () => {
	const rules = [{action: 'block', expression: 'http.hots eq "a"'}];
	const values = {kind: 'zone', phase: customPhase, rules};
	const {groups} = groupTerraformRules(
		{
			format_version: '1.0',
			values: {
				root_module: {resources: [{address: 'cloudflare_ruleset.a', type: 'cloudflare_ruleset', values}]},
			},
		},
		'tf plan\u001b.json',
	);
	const [result] = buildLog(groups.flatMap(group => lintRules(group, {now}))).runs[0]?.results ?? [];
	expect(result?.locations).toEqual([
		{
			physicalLocation: {artifactLocation: {uri: 'tf%20plan%1B.json'}},
			logicalLocations: [
				expect.objectContaining({
					fullyQualifiedName: `tf plan\u001b.json/${customPhase}/cloudflare_ruleset.a.rules[0]`,
				}),
			],
		},
	]);
});

test('of a zone, it has no file', () => {
	const group = {
		source: {kind: 'zone', name: 'a.example'},
		noun: 'custom rule',
		phase: customPhase,
		rules: [{position: 1, action: 'block', rule: {action: 'block', expression: 'http.host in {}'}}],
	} as const;
	const [result] = buildLog(lintRules(group, {now})).runs[0]?.results ?? [];
	expect(result?.ruleId).toBe('L005');
	expect(result?.locations[0]).not.toHaveProperty('physicalLocation');
});
