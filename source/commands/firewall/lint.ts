import {listPhaseNames} from '../../firewall/expression/expressions.ts';
import {lintLevels} from '../../firewall/lint/findings.ts';
import {zonePlans} from '../../service/plan.ts';
import {
	createChoiceOption,
	createValueOption,
	defineCommand,
	type OptionValues,
	runLazily,
	withCompletion,
} from '../shell/declare.ts';
import {createAllowUnknownOption} from './options.ts';

const buildLintOptions = () => [
	createChoiceOption('--deny <level>', 'lowest level that makes it exit with 1 (default: error)', lintLevels),
	createValueOption('--sarif <file>', 'write a SARIF 2.1.0 log to this file; - is standard output'),
	createChoiceOption('--plan <plan>', "check for this plan instead of the named zone's plan", zonePlans),
	withCompletion(
		createValueOption('--phase <phase>', 'only rules of this phase: custom, managed, ratelimit, …'),
		listPhaseNames(),
	),
	createAllowUnknownOption(),
];

export type LintOptions = OptionValues<typeof buildLintOptions>;

/** `firewall lint`: what is wrong or suspicious in rules, of files or of a zone. Reads only. */
export const firewallLintCommand = defineCommand({
	usage: 'lint [FILE...]',
	summary: 'check rules of files or of a zone: mistakes, rules that never run, duplicates',
	example: 'firewall lint rules.yaml --plan pro --deny warning',
	sampleArguments: 'rules.yaml',
	isOffline: true,
	formatDetails: () =>
		"FILE is a rules file (`rules export`), an export of firewall rules (`firewall export`),\nor the output of `terraform show -json`; - is standard input. Without FILE, all rules of\nthe zone are read. With FILE, --zone checks for that zone's plan and lists.",
	options: buildLintOptions,
	run: runLazily(async () => (await import('./lint-run.ts')).runLint),
});
