import type {Command} from 'commander';
import {proposedConfiguration} from '../migration/calls.ts';
import {fingerprint, shownFingerprint} from '../migration/configuration.ts';
import {safeJson} from '../terminal/safe-text.ts';
import {counted} from '../text/figures.ts';
import type {CommandContext} from './context.ts';
import {declareCommand, valueOption} from './declare.ts';
import {openMigration} from './migration-zone.ts';
import {refuseExisting, writeOutputFile} from './output-file.ts';

/** `migration config`: what the service proposes, made from the zone's previous settings (platform.md, Area C: HTTP). */
export function declareMigrationConfig(parent: Command): void {
	declareCommand<{output?: string}>(parent, {
		usage: 'config',
		summary: 'the configuration that the service proposes, as JSON to edit, plan and send',
		example: 'migration config --zone example.com --output configuration.json',
		options: () => [valueOption('--output <file>', 'write it to a file; - is standard output')],
		run: (context, {output}) => config(context, output),
	});
}

async function config(context: CommandContext, word: string | undefined): Promise<void> {
	const {output, options} = context;
	const file = word === '-' || options.dryRun ? undefined : word;
	const over = options.yes === true;
	if (file !== undefined) refuseExisting(context.resolve(file), over);
	const {client, zone} = await openMigration(context, {writes: false});
	const {configuration} = await proposedConfiguration(client, zone.id, context.signal);
	const text = `${safeJson(JSON.stringify(configuration, null, 2))}\n`;
	if (file === undefined) return output.jsonText(text);
	writeOutputFile(context.resolve(file), text, over);
	const digits = fingerprint(configuration);
	const rules = configuration.rules.length;
	if (output.json) return output.value(context.marked({file, rules, fingerprint: digits}));
	output.mention(`Wrote ${counted(rules, 'rule')} to ${file}, fingerprint ${shownFingerprint(digits)}.`);
}
