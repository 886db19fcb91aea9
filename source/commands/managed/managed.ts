import {rulesetWords} from '../../managed/names.ts';
import {overrideActions} from '../../migration/configuration/mapping.ts';
import {createAllowUnknownOption, createExpressionOption} from '../firewall/options.ts';
import {createRuleOption} from '../rules/options.ts';
import {
	createListOption,
	createNumberOption,
	createSwitchOption,
	createValueOption,
	defineCommand,
	type OptionValues,
	runLazily,
	withCompletion,
} from '../shell/declare.ts';

/** For changes that reduce the protection of a zone. */
type ConfirmOptions = {confirm?: string};

export type ManagedRestoreOptions = ConfirmOptions & {rule?: readonly string[]};
export type CatalogueOptions = {ruleset?: string};

const exampleId = '8f3e9c2a6d5b4e4f9c8a7d6e5b4c3f01';

const createManagedConfirmOption = () =>
	createValueOption('--confirm <zone>', "the zone's name, for a change that leaves it with less protection");

/** `managed show`: the active managed rules of a zone. */
export const managedShowCommand = defineCommand({
	usage: 'show',
	summary: 'the managed rules in force: rulesets, their settings and overrides, exceptions, fingerprint',
	example: 'managed show --zone example.com',
	sampleArguments: '--zone done.acme.example',
	run: runLazily(async () => (await import('./read.ts')).printManagedRules),
});

const buildManagedEditOptions = () => [
	withCompletion(
		createListOption('--deploy <ruleset>', 'execute a managed ruleset, after all others'),
		rulesetWords,
	),
	withCompletion(
		createListOption('--remove <ruleset>', 'no longer execute it, and forget its overrides'),
		rulesetWords,
	),
	withCompletion(createListOption('--on <ruleset>', 'turn a deployed ruleset on'), rulesetWords),
	withCompletion(createListOption('--off <ruleset>', 'turn it off, and keep its overrides'), rulesetWords),
	createListOption('--ruleset <ruleset=values>', 'override all of a ruleset'),
	createListOption('--category <[ruleset:]name=values>', 'override a category (tag)'),
	createListOption('--rule <[ruleset:]id=values>', 'override a managed rule, see `ledge managed catalogue`'),
	createNumberOption('--paranoia <level>', 'of the OWASP ruleset: 1 to 4', 1),
	createNumberOption('--threshold <points>', 'OWASP score threshold: act on requests that reach it', 1),
	withCompletion(
		createValueOption(
			'--threshold-action <action>',
			`what it does then: ${overrideActions.join(', ')}, default`,
		),
		[...overrideActions, 'default'],
	),
	createManagedConfirmOption(),
];

export type ManagedEditOptions = OptionValues<typeof buildManagedEditOptions>;

/** `managed edit`: one or more changes, sent as one. */
export const managedEditCommand = defineCommand({
	usage: 'edit',
	summary: 'change rulesets, their settings and overrides; all that is named is one change',
	example: 'managed edit --zone example.com --threshold 25 --rule 5de7edfa648c4d6891dc3e7f84534ffa=log',
	writes: 'changing managed rules',
	sampleArguments: '--zone done.acme.example --threshold 25',
	formatDetails: () =>
		`RULESET is platform, owasp or credentials, or the name or id of a ruleset. VALUES is on, off, an action\n(${overrideActions.join(', ')}), or both with a comma; default removes the override.`,
	options: buildManagedEditOptions,
	run: runLazily(async () => (await import('./edit.ts')).editManaged),
});

const buildExceptionOptions = () => [
	createExpressionOption(),
	createAllowUnknownOption(),
	createListOption('--skip <what>', 'all, rulesets with commas, or rules: RULESET:ID,ID; again for more'),
	createValueOption('--description <text>', 'what the exception is for'),
	createSwitchOption('--paused', 'the exception does nothing'),
	createSwitchOption('--no-paused', 'the exception is in force').hideHelp(),
	createSwitchOption('--log', 'what it skips is logged (the default)'),
	createSwitchOption('--no-log', 'what it skips is not logged'),
	createManagedConfirmOption(),
];

export type ExceptionOptions = OptionValues<typeof buildExceptionOptions>;

/** `managed exception`: requests for which managed rules are skipped. */
export const managedExceptionCommands = [
	defineCommand({
		usage: 'list',
		summary: 'the exceptions in their order, with what each skips',
		example: 'managed exception list --zone example.com',
		sampleArguments: '--zone done.acme.example',
		run: runLazily(async () => (await import('./read.ts')).printExceptions),
	}),
	defineCommand({
		usage: 'add',
		summary: 'skip managed rules for some requests; it goes before the first ruleset that it skips',
		example: `managed exception add --zone example.com --expression 'http.host eq "search.example.com"' --skip owasp:6179ae15870a4bb7b2d480d4843b323c`,
		writes: 'adding an exception from the managed rules',
		sampleArguments: "--zone done.acme.example --expression 'ip.src eq 203.0.113.77' --skip owasp",
		options: buildExceptionOptions,
		run: runLazily(async () => (await import('./exception.ts')).addException),
	}),
	defineCommand({
		usage: 'change <ID>',
		summary: 'change what is named of an exception, and nothing else',
		example: `managed exception change ${exampleId} --zone example.com --skip owasp`,
		writes: 'changing an exception from the managed rules',
		sampleArguments: `${exampleId} --zone done.acme.example --description other`,
		options: buildExceptionOptions,
		run: runLazily(async () => (await import('./exception.ts')).changeException),
	}),
	defineCommand({
		usage: 'remove <ID...>',
		summary: 'remove exceptions; earlier versions still have them',
		example: `managed exception remove ${exampleId} --zone example.com`,
		writes: 'removing exceptions from the managed rules',
		sampleArguments: `${exampleId} --zone done.acme.example`,
		run: runLazily(async () => (await import('./exception.ts')).removeExceptions),
	}),
];

const buildManagedApplyOptions = () => [
	createValueOption('--fingerprint <digits>', 'of the configuration that was reviewed: 8 digits or more'),
	createNumberOption('--if-version <n>', 'only where this version is still in force', 1),
	createValueOption('--confirm <zone>', "the zone's name, typed out; asked for on a terminal"),
	createAllowUnknownOption(),
];

export type ManagedApplyOptions = OptionValues<typeof buildManagedApplyOptions>;

/** `managed apply`: a whole configuration. */
export const managedApplyCommand = defineCommand({
	usage: 'apply <FILE>',
	summary: 'make a whole configuration the one in force; without its fingerprint, only show what differs',
	example:
		'managed apply managed.json --zone example.com --fingerprint 7c1e09ab44d2f013 --confirm example.com',
	writes: 'changing managed rules',
	sampleArguments:
		'managed.json --zone done.acme.example --fingerprint 4f53cda18c2baa0c --confirm done.acme.example',
	formatDetails: () =>
		'FILE is what `managed show --json`, `migration config` or `migration export` prints, edited; - is standard\ninput. A rule keeps its id if the file names it, or has a rule that matches it.',
	options: buildManagedApplyOptions,
	run: runLazily(async () => (await import('./apply.ts')).applyManaged),
});

/** `managed catalogue`: rules of managed rulesets. */
export const managedCatalogueCommand = defineCommand({
	usage: 'catalogue [WORDS...]',
	summary: 'managed rules by name, id, tag or action, with what each does in this zone',
	example: 'managed catalogue sql injection --zone example.com --ruleset owasp',
	sampleArguments: 'sqli --zone done.acme.example',
	options: () => [
		withCompletion(createValueOption('--ruleset <ruleset>', 'only the rules of this ruleset'), rulesetWords),
	],
	run: runLazily(async () => (await import('./read.ts')).printCatalogueRules),
});

const buildRecreateOptions = () => [
	createNumberOption('--item <number>', 'recreate this item of the list', 1),
	createListOption(
		'--rule <[ruleset:]id>',
		'a managed rule that the item is about, where it is not found by its id',
	),
	createManagedConfirmOption(),
];

export type RecreateOptions = OptionValues<typeof buildRecreateOptions>;

/** `managed recreate`: what the migration left behind. */
export const managedRecreateCommand = defineCommand({
	usage: 'recreate',
	summary: 'list what the migration left behind, and recreate one item of it',
	example: 'managed recreate --zone example.com --item 2',
	writes: true,
	sampleArguments: '--zone done.acme.example --item 1',
	formatDetails: () =>
		'The list is read from the backup that was made before the migration, on the machine where it was made.',
	options: buildRecreateOptions,
	run: runLazily(async () => (await import('./recreate.ts')).recreateManaged),
});

/** `managed versions`. */
export const managedVersionsCommand = defineCommand({
	usage: 'versions [VERSION]',
	summary: 'list the earlier versions of what was in force, or the rules of one',
	example: 'managed versions 3 --zone example.com',
	sampleArguments: '--zone done.acme.example',
	run: runLazily(async () => (await import('./read.ts')).printManagedVersions),
});

/** `managed restore`. */
export const managedRestoreCommand = defineCommand({
	usage: 'restore <VERSION>',
	summary: 'put an earlier version in force again, all of it or some rules',
	example: 'managed restore 3 --zone example.com',
	writes: 'restoring managed rules',
	sampleArguments: '1 --zone done.acme.example',
	options: () => [createRuleOption(), createManagedConfirmOption()],
	run: runLazily(async () => (await import('./restore.ts')).restoreManaged),
});
