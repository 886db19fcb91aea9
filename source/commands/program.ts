import {Command} from 'commander';
import type {Host, Invocation} from '../host.ts';
import {type ArrangedWords, arrangeWords, type CommandWords} from './arrange-words.ts';
import type {DataLocationOptions} from './kv/options.ts';
import {buildOverviewOptions} from './overview-options.ts';
import {createCommandContext, type GlobalOptions} from './shell/context.ts';
import {
	addGlobalOptions,
	declareGroup,
	finishDeclaration,
	finishSubcommandsOnUse,
	getInvocation,
	prepareCommand,
} from './shell/declare.ts';

/** All words in the order of the help. A module is loaded only when its words are used. */
const commandWords: CommandWords = {
	kv: {
		summary: 'key-value data: namespaces, keys, bulk operations, local data',
		example: 'kv key list --binding CONFIG --prefix user: --format table',
		subwords: {
			namespace: {
				summary: 'create, list, rename and delete namespaces',
				example: 'kv namespace list',
				load: async () => (await import('./kv/namespace.ts')).namespaceCommands,
			},
			key: {
				summary: 'put, list, get, edit, rename, copy and delete single keys; their history',
				example: 'kv key get feature-flags --binding CONFIG',
				load: async () => (await import('./kv/key-commands.ts')).keyCommands,
			},
			bulk: {
				summary: 'put, get and delete many keys from a file',
				example: 'kv bulk put sessions.json --binding SESSIONS',
				load: async () => (await import('./kv/bulk.ts')).bulkCommands,
			},
			export: {
				summary: 'export a whole namespace to a file or standard output',
				load: async () => (await import('./kv/export.ts')).kvExportCommand,
			},
			import: {
				summary: 'import the keys of an export into a namespace',
				load: async () => (await import('./kv/bulk-write.ts')).kvImportCommand,
			},
			copy: {
				summary: 'copy keys from one store to another',
				load: async () => (await import('./kv/copy.ts')).kvCopyCommand,
			},
			diff: {summary: 'compare two stores', load: async () => (await import('./kv/diff.ts')).kvDiffCommand},
			delete: {
				summary: 'delete keys by prefix, expiration or metadata',
				load: async () => (await import('./kv/delete.ts')).kvDeleteCommand,
			},
			'rename-prefix': {
				summary: 'rename all keys with a prefix',
				load: async () => (await import('./kv/rename-prefix.ts')).kvRenamePrefixCommand,
			},
			trash: {
				summary: 'list and restore deleted keys, or empty the trash',
				example: 'kv trash list',
				load: async () => (await import('./kv/trash.ts')).trashCommands,
			},
			search: {
				summary: 'search key names and values',
				load: async () => (await import('./kv/search.ts')).kvSearchCommand,
			},
			watch: {
				summary: 'print changes of keys as they happen, or run a program for each',
				load: async () => (await import('./kv/watch.ts')).kvWatchCommand,
			},
			stats: {
				summary: 'show keys by prefix, value sizes, expirations and metadata fields',
				load: async () => (await import('./kv/stats.ts')).kvStatsCommand,
			},
			metrics: {
				summary: 'show keys, size, operations and latencies of namespaces over time',
				load: async () => (await import('./kv/metrics.ts')).kvMetricsCommand,
			},
			where: {
				summary: 'show the namespaces a binding means, and which one a Worker reads',
				load: async () => (await import('./kv/where.ts')).kvWhereCommand,
			},
			local: {
				summary: 'check local data',
				example: 'kv local check',
				load: async () => (await import('./kv/local.ts')).localCheckCommand,
			},
		},
	},
	firewall: {
		summary: 'filters, firewall rules and their expressions',
		example: `firewall rule create --zone example.com --expression 'ip.src eq 192.0.2.1' --action block`,
		subwords: {
			filter: {
				summary: 'list, create, change, delete and validate filters',
				example: 'firewall filter list --zone example.com',
				load: async () => (await import('./firewall/filter.ts')).firewallFilterCommands,
			},
			rule: {
				summary: 'list, create, change, pause and delete firewall rules',
				example: 'firewall rule list --zone example.com',
				load: async () => (await import('./firewall/rule.ts')).firewallRuleCommands,
			},
			emergency: {
				summary: 'block immediately: filter and rule in a single call',
				load: async () => (await import('./firewall/emergency.ts')).declareFirewallEmergency,
			},
			events: {
				summary: 'show what rules did with requests, one by one or as counts',
				load: async () => (await import('./firewall/events.ts')).firewallEventsCommand,
			},
			explain: {
				summary: 'explain an expression and any mistakes in it',
				load: async () => (await import('./firewall/explain.ts')).firewallExplainCommand,
			},
			lint: {
				summary: 'check rules of files or of a zone: mistakes, rules that never run, duplicates',
				load: async () => (await import('./firewall/lint.ts')).firewallLintCommand,
			},
			export: {
				summary: 'export firewall rules as JSON, custom rules or Terraform',
				load: async () => (await import('./firewall/export.ts')).firewallExportCommand,
			},
		},
	},
	rules: {
		summary: 'custom rules and rate limits: list, create, change, move, restore; rules as files',
		example: `rules create --zone example.com --expression 'ip.src eq 192.0.2.1' --action block`,
		load: async () => (await import('./rule-files/commands.ts')).rulesCommands,
	},
	lists: {
		summary: 'lists of an account, used in expressions as $name: show, create, add, remove',
		example: 'lists add blocklist 203.0.113.7 198.51.100.0/24',
		load: async () => (await import('./lists/lists.ts')).accountListCommands,
	},
	managed: {
		summary: 'active managed rules: show, change, exceptions, catalogue, earlier versions',
		example: 'managed show --zone example.com',
		subwords: {
			show: {
				summary: 'show rulesets, their settings and overrides, exceptions, fingerprint',
				load: async () => (await import('./managed/managed.ts')).managedShowCommand,
			},
			edit: {
				summary: 'change rulesets, their settings and overrides in one write',
				load: async () => (await import('./managed/managed.ts')).managedEditCommand,
			},
			exception: {
				summary: 'list, add, change and remove exceptions',
				example: 'managed exception list --zone example.com',
				load: async () => (await import('./managed/managed.ts')).managedExceptionCommands,
			},
			apply: {
				summary: 'apply a complete configuration',
				load: async () => (await import('./managed/managed.ts')).managedApplyCommand,
			},
			catalogue: {
				summary: 'search managed rules by name, id, tag or action',
				load: async () => (await import('./managed/managed.ts')).managedCatalogueCommand,
			},
			recreate: {
				summary: 'list what the migration left behind, or recreate one item',
				load: async () => (await import('./managed/managed.ts')).managedRecreateCommand,
			},
			versions: {
				summary: 'list earlier versions, or the rules of one',
				load: async () => (await import('./managed/managed.ts')).managedVersionsCommand,
			},
			restore: {
				summary: 'restore an earlier version',
				load: async () => (await import('./managed/managed.ts')).managedRestoreCommand,
			},
		},
	},
	migration: {
		summary: 'migrate from the previous managed rules to the new ones: check, plan, rehearse, deploy, resume',
		example: 'migration check --zone example.com',
		subwords: {
			check: {
				summary: 'check whether a zone can migrate, and what blocks it',
				load: async () => (await import('./migration/check.ts')).migrationCheckCommand,
			},
			overrides: {
				summary: 'list, delete and restore URI-based overrides',
				example: 'migration overrides list --zone example.com',
				load: async () => (await import('./migration/overrides.ts')).migrationOverrideCommands,
			},
			config: {
				summary: 'print the configuration the service proposes, as JSON',
				load: async () => (await import('./migration/config.ts')).migrationConfigCommand,
			},
			plan: {
				summary: 'show what changes, what is lost, and the fingerprint',
				load: async () => (await import('./migration/plan.ts')).migrationPlanCommand,
			},
			rehearse: {
				summary: 'run the whole migration on the simulated service',
				load: async () => (await import('./migration/rehearse.ts')).migrationRehearseCommand,
			},
			backup: {
				summary: 'save everything that cannot be read after the migration',
				load: async () => (await import('./migration/backup.ts')).migrationBackupCommand,
			},
			validate: {
				summary: 'run both versions side by side, the new one first (Enterprise)',
				load: async () => (await import('./migration/deploy.ts')).migrationValidateCommand,
			},
			events: {
				summary: 'show what each version does to requests during validation',
				load: async () => (await import('./migration/events.ts')).migrationEventsCommand,
			},
			deploy: {
				summary: 'deploy the new version and turn off the previous one; cannot be undone',
				load: async () => (await import('./migration/deploy.ts')).migrationDeployCommand,
			},
			status: {
				summary: 'show the migration status of a zone',
				load: async () => (await import('./migration/status.ts')).migrationStatusCommand,
			},
			resume: {
				summary: 'resume an interrupted migration',
				load: async () => (await import('./migration/resume.ts')).migrationResumeCommand,
			},
			export: {
				summary: 'export a configuration as JSON or Terraform, or the steps for the Terraform state',
				load: async () => (await import('./migration/export.ts')).migrationExportCommand,
			},
			report: {
				summary: 'show the settings before and after, and what to recreate manually',
				load: async () => (await import('./migration/report.ts')).migrationReportCommand,
			},
		},
	},
	jobs: {
		summary: 'list, resume and forget jobs',
		example: 'jobs resume k3v9x2mp',
		load: async () => (await import('./shell/jobs.ts')).jobsCommands,
	},
	zones: {summary: 'list zones', load: async () => (await import('./shell/zones.ts')).zonesCommand},
	whoami: {
		summary: 'show the credential in use and what it can access',
		load: async () => (await import('./shell/whoami.ts')).whoamiCommand,
	},
	doctor: {
		summary: 'check credential, permissions, answers of the service and this machine',
		load: async () => (await import('./doctor/command.ts')).doctorCommand,
	},
	context: {
		summary: 'manage named accounts and how to sign in to them',
		example: 'context list',
		load: async () => (await import('./shell/contexts.ts')).contextCommands,
	},
	config: {
		summary: 'show active settings and where each comes from; create your configuration file',
		example: 'config show --env staging',
		load: async () => (await import('./shell/config.ts')).configCommands,
	},
	pick: {
		summary: 'choose keys on screen and print their names, for scripts',
		load: async () => (await import('./pick.ts')).pickCommand,
	},
	simulate: {
		summary: 'run the simulated service',
		load: async () => (await import('./shell/simulate.ts')).simulateCommand,
	},
	completion: {
		summary: 'print a completion script for bash, zsh or fish',
		load: async () => (await import('./completion.ts')).completionCommand,
	},
	man: {
		summary: 'print the manual, or the page of one area',
		load: async () => (await import('./manual.ts')).manualCommand,
	},
	licenses: {
		summary: 'print the licences of all software bundled with ledge',
		load: async () => (await import('./licences.ts')).licencesCommand,
	},
};

/**
 * Creates the program, and moves global options after the command words, as commander requires. Loads only
 * the modules of that command; other commands appear in the help with their summaries. Without `words`, loads
 * all modules, for completion and the readme.
 */
export async function createProgram(
	words?: readonly string[],
	invocation?: Invocation,
): Promise<ArrangedWords & {program: Command}> {
	const program = prepareCommand(new Command('ledge'), invocation)
		.description('Key-value data, firewall rules and the managed-rules migration of an edge platform.')
		.usage('[options] [command]')
		.version(LEDGE_VERSION, '-v, --version', 'show the version')
		.enablePositionalOptions()
		.addHelpText('after', help);
	addGlobalOptions(program);
	finishSubcommandsOnUse(program);
	if (!words) {
		await declareCommandWords(program, commandWords, undefined);
		completeAllDeclarations(program);
		return {program, commandPath: [], words: [], colonForm: undefined};
	}
	const arrangedWords = arrangeWords(program, commandWords, words);
	if (arrangedWords.commandPath.length === 0) declareOverview(program);
	await declareCommandWords(program, commandWords, arrangedWords.commandPath);
	return {program, ...arrangedWords};
}

const help = `
Without a command, ledge opens its screens; without a terminal, it prints an overview.

Example:
  $ ledge --simulate kv namespace list`;

function declareOverview(program: Command): void {
	for (const option of buildOverviewOptions()) program.addOption(option);
	program.action(async () => {
		const options = program.opts<GlobalOptions & DataLocationOptions>();
		const invocation = getInvocation(program);
		const {host} = invocation;
		if (shouldOpenScreens(options, host)) await host.openScreens?.(options);
		const {printOverview} = await import('./shell/overview.ts');
		using context = await createCommandContext(options, invocation, {commandPath: ''});
		await printOverview(context);
	});
}

/** Screens need a terminal for input and output; `--json` and `--dry-run` ask for text. */
const shouldOpenScreens = ({json, dryRun}: GlobalOptions, {stdin, stdout, env}: Host): boolean =>
	stdin.isTTY === true && stdout.isTTY === true && env.TERM !== 'dumb' && !json && !dryRun;

async function declareCommandWords(
	parent: Command,
	childWords: CommandWords,
	remainingPath: readonly string[] | undefined,
): Promise<void> {
	for (const [name, entry] of Object.entries(childWords)) {
		const isRequested = remainingPath === undefined || remainingPath[0] === name;
		if (!isRequested) {
			parent.command(name).description(entry.summary);
			continue;
		}
		const group = entry.example ? declareGroup(parent, name, entry.summary, entry.example) : parent;
		if ('load' in entry) for (const add of [await entry.load()].flat()) add(group);
		else await declareCommandWords(group, entry.subwords, remainingPath?.slice(1));
	}
}

function completeAllDeclarations(command: Command): void {
	finishDeclaration(command);
	for (const subcommand of command.commands) completeAllDeclarations(subcommand);
}
