/**
 * The folders of `source`, each below those that may import it. A folder imports what is before it in this list, and
 * nothing behind it, but for types. `''` is `failure.ts` and `host.ts`, which everything may use; `entry` are the files
 * that programs begin with.
 */
export const layers: readonly string[] = [
	'',
	'text',
	'text/json',
	'text/buffer',
	'terminal',
	'state',
	'settings',
	'settings/contexts',
	'credentials',
	'keyboard',
	'components',
	'service',
	'rulesets',
	'kv',
	'kv/local',
	'kv/key-index',
	'kv/change',
	'kv/job',
	'kv/bulk',
	'kv/transfer',
	'firewall',
	'firewall/expression/vocabulary',
	'firewall/expression/regex',
	'firewall/expression/checks',
	'firewall/expression/grammar',
	'firewall/expression/meaning',
	'firewall/expression/completion',
	'firewall/expression',
	'firewall/rules',
	'firewall/export',
	'migration/configuration',
	'migration/machine',
	'migration/zone',
	'migration/plan',
	'migration/journal',
	'migration/flow',
	'migration/report',
	'session',
	'simulator/http',
	'simulator/faults',
	'simulator/accounts',
	'simulator/kv',
	'simulator/firewall',
	'simulator/waf',
	'simulator/migration',
	'simulator/rulesets',
	'simulator/world',
	'simulator',
	'commands/shell',
	'commands/kv',
	'commands/firewall',
	'commands/migration',
	'commands',
	'screens/rows',
	'screens/shell',
	'screens/drafts',
	'screens/expression-editor',
	'screens/key',
	'screens/keys',
	'screens/edit',
	'screens/review',
	'screens/namespaces',
	'screens/jobs',
	'screens/bulk',
	'screens/transfer',
	'screens/compare',
	'screens/zones',
	'screens/migration',
	'screens/migration/view',
	'screens/migration/actions',
	'screens/firewall',
	'screens/stepped-form',
	'screens/wizard',
	'screens/emergency',
	'screens/firewall/lists',
	'screens/contexts',
	'screens/activity',
	'screens/home',
	'store',
	'screens',
	'bundle',
	'entry',
];

/** Folders that hold neither Ink nor React nor zustand, nor anything that does: all but these. */
export const drawn: readonly string[] = ['components', 'screens', 'store', 'keyboard'];

/** Who may import the simulator: the commands that start one, and itself. */
export const simulatorUsers: readonly string[] = [
	'source/commands/shell/simulate.ts',
	'source/commands/shell/simulated-service.ts',
];

/** Files of screens that are not drawn and use React all the same: what the drawn ones share. */
export const hooks: readonly string[] = ['source/screens/shell/use-ledge.ts'];

/** Files whose exports are what a program or the build begins with, and not for other files of `source`. */
export const entries: readonly string[] = [
	'source/cli.ts',
	'source/screens.tsx',
	'source/bundle/late-segmenter.ts',
	'source/firewall/expression/expressions.ts',
];
