import {rulesFileFormats} from '../../rule-files/sections.ts';
import {createAllowUnknownOption} from '../firewall/options.ts';
import {customRuleCommands} from '../rules/rules.ts';
import {createZoneNameOption} from '../shell/confirm-zone-name.ts';
import {
	createChoiceOption,
	createSwitchOption,
	createValueOption,
	defineCommand,
	type OptionValues,
	runLazily,
} from '../shell/declare.ts';

const createFormatOption = () =>
	createChoiceOption(
		'--format <format>',
		'yaml or json (default: by the ending of the file)',
		rulesFileFormats,
	);

const buildExportOptions = () => [
	createValueOption(
		'--output <file>',
		'write to this file, or with --all-zones to this folder; - is standard output',
	),
	createFormatOption(),
	createSwitchOption('--no-ids', "leave out the ids of rules, which other zones don't have"),
	createSwitchOption('--all-zones', 'export all zones, one file each'),
];

export type RulesExportOptions = OptionValues<typeof buildExportOptions>;

const buildDiffOptions = () => [
	createSwitchOption('--exit-code', 'exit with 1 if applying the file would change or leave out anything'),
	createFormatOption(),
	createAllowUnknownOption(),
	createSwitchOption('--all-zones', 'compare all zones; FILE is a folder with one file each'),
];

export type RulesDiffOptions = OptionValues<typeof buildDiffOptions>;

const buildApplyOptions = () => [
	createZoneNameOption('required to send anything; on a terminal, ledge asks for it'),
	createFormatOption(),
	createAllowUnknownOption(),
];

export type RulesApplyOptions = OptionValues<typeof buildApplyOptions>;

const formatFileHelp = () =>
	"FILE has the rules of a zone, as written by `rules export`; - is standard input.\nA section that it doesn't have stays as it is. A rule without an id keeps that of\nthe rule with the same ref, else with the same action and expression.";

/** `rules …`: the commands for single rules, then those for rules as files. */
export const rulesCommands = [
	...customRuleCommands,

	defineCommand({
		usage: 'export',
		summary: 'write custom rules, rate limits and managed rules to a YAML or JSON file',
		example: 'rules export --zone example.com --output example.com.yaml',
		sampleArguments: '--zone done.acme.example',
		formatDetails: () =>
			'With --yes, an existing file is overwritten; comments of rules that are still there are kept.',
		options: buildExportOptions,
		run: runLazily(async () => (await import('./export.ts')).exportRules),
	}),

	defineCommand({
		usage: 'diff <FILE>',
		summary: 'show what applying a file would change',
		example: 'rules diff example.com.yaml --zone example.com --exit-code',
		sampleArguments: 'rules.yaml --zone done.acme.example',
		formatDetails: formatFileHelp,
		options: buildDiffOptions,
		run: runLazily(async () => (await import('./diff.ts')).diffRules),
	}),

	defineCommand({
		usage: 'apply <FILE>',
		summary: "make the rules of a file the active ones, after showing the changes; requires the zone's name",
		example: 'rules apply example.com.yaml --zone example.com --confirm example.com',
		refusedByReadOnly: 'applying rules',
		sampleArguments: 'rules.yaml --zone done.acme.example --confirm done.acme.example',
		formatDetails: formatFileHelp,
		options: buildApplyOptions,
		run: runLazily(async () => (await import('./apply.ts')).applyRules),
	}),
];
