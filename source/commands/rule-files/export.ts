import {existsSync, mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {Failure, isFailure, toFailure} from '../../failure.ts';
import {formatRulesFile, toFileRule} from '../../rule-files/format.ts';
import {parseRulesFile} from '../../rule-files/parse.ts';
import {findSchemaProblems, type RulesFileData} from '../../rule-files/schema.ts';
import {type RulesFileFormat, ruleSections, type SectionKey} from '../../rule-files/sections.ts';
import {describeLeftOut, readZoneRules} from '../../rule-files/zone-rules.ts';
import type {Client} from '../../service/client.ts';
import type {ChosenZone} from '../../session/write-place.ts';
import {formatQuantity} from '../../text/figures.ts';
import {openZone} from '../firewall/zone.ts';
import type {CommandContext} from '../shell/context.ts';
import {claimOutputFile, writeOutputFile} from '../shell/output-file.ts';
import type {RulesExportOptions} from './commands.ts';
import {chooseRulesFormat} from './input.ts';
import {listZoneFiles} from './zones.ts';

/** The rules of a zone as data of a file, and why sections are missing. */
type ZoneExport = {
	readonly data: RulesFileData;
	readonly notes: readonly string[];
	readonly leftOut: readonly {readonly section: SectionKey; readonly why: string}[];
	readonly ruleCount: number;
};

/** `rules export`: writes the rules of a zone, or of all zones, as files. Reads only. */
export async function exportRules(context: CommandContext, options: RulesExportOptions): Promise<void> {
	if (options.allZones) return exportAllZones(context, options);
	const {output} = context;
	const file = options.output === '-' || context.options.dryRun ? undefined : options.output;
	const format = chooseRulesFormat(file, options.format);
	const path = file === undefined ? undefined : context.resolve(file);
	const overwrite = context.options.yes === true;
	using _claim = path === undefined ? undefined : claimOutputFile(path, overwrite);
	const {client, zone} = await openZone(context, {writes: false});
	const zoneExport = await readZoneExport(context, client, zone, options);
	for (const note of zoneExport.notes) output.warn(note);
	if (file === undefined || path === undefined) {
		const text = formatRulesFile(zoneExport.data, {format, header: buildHeader(zone)});
		if (format === 'json') await output.writeJsonText(text);
		else await output.writeText(text);
		return;
	}
	const summary = writeZoneFile(context, zone, zoneExport, {path, format, overwrite});
	if (output.json) await output.writeJson(context.markSimulated({file, ...summary}));
	else output.sayIfInteractive(`Wrote ${formatQuantity(zoneExport.ruleCount, 'rule')} to ${file}.`);
}

/** Writes one file per zone. A zone that cannot be read is reported, and the exit code is 1. */
async function exportAllZones(context: CommandContext, options: RulesExportOptions): Promise<void> {
	const {output} = context;
	const {output: folder, format = 'yaml'} = options;
	if (folder === undefined || folder === '-')
		throw new Failure('usage', '--all-zones writes one file per zone.', {
			next: 'Name a folder for them with --output.',
		});
	const overwrite = context.options.yes === true;
	const client = await context.client();
	const zoneFiles = await listZoneFiles(context);
	if (!context.options.dryRun) mkdirSync(context.resolve(folder), {recursive: true});
	const results: object[] = [];
	for (const {zone, fileName} of zoneFiles) {
		const file = join(folder, `${fileName}.${format}`);
		try {
			const path = context.resolve(file);
			using _claim = claimOutputFile(path, overwrite);
			const zoneExport = await readZoneExport(context, client, zone, options);
			for (const note of zoneExport.notes) output.warn(`${zone.name}: ${note}`);
			const summary = context.options.dryRun
				? toSummary(zone, zoneExport)
				: writeZoneFile(context, zone, zoneExport, {path, format, overwrite});
			results.push(context.markSimulated({file, ...summary, failed: null}));
			if (!output.json) await output.writeText(`${file}: ${formatQuantity(zoneExport.ruleCount, 'rule')}\n`);
		} catch (error) {
			results.push({
				zone: {id: zone.id, name: zone.name},
				file,
				failed: reportZoneFailure(context, zone, error),
			});
		}
	}
	if (output.json) await output.writeJson(results);
}

/** Prints why a zone could not be handled, and sets the exit code to 1. Rethrows an interruption. */
export function reportZoneFailure(
	context: CommandContext,
	zone: ChosenZone,
	error: unknown,
): {readonly code: string; readonly what: string} {
	if (isFailure(error, 'interrupted', 'credential_missing')) throw error;
	const failure = toFailure(error);
	context.setExitCode(1);
	context.output.warn(`${zone.name}: ${describeLeftOut(failure)}`);
	return {code: failure.code, what: failure.message};
}

async function readZoneExport(
	{signal}: CommandContext,
	client: Client,
	zone: ChosenZone,
	{ids = true}: RulesExportOptions,
): Promise<ZoneExport> {
	const zoneRules = await readZoneRules(client, zone, signal);
	const data: {-readonly [key in keyof RulesFileData]: RulesFileData[key]} = {zone: zone.name};
	const leftOut: ZoneExport['leftOut'][number][] = [];
	let ruleCount = 0;
	for (const {key} of ruleSections) {
		const reading = zoneRules[key];
		if (reading instanceof Failure) {
			leftOut.push({section: key, why: describeLeftOut(reading)});
			continue;
		}
		const rules = reading.ruleset?.rules ?? [];
		data[key] = rules.map(rule => toFileRule(rule, ids));
		ruleCount += rules.length;
	}
	const notes = [
		...leftOut.map(({section, why}) => `${section}: left out. ${why}`),
		...findSchemaProblems(data, false).map(
			({path, sentence}) => `${formatDataPath(path)}: ${sentence} Applying it needs --allow-unknown.`,
		),
	];
	return {data, notes, leftOut, ruleCount};
}

/** Formats the path of a value, with rules counted from 1. */
const formatDataPath = (path: readonly (string | number)[]): string =>
	path.map(step => (typeof step === 'number' ? `rule ${step + 1}` : step)).join(', ');

const buildHeader = ({name}: ChosenZone): readonly string[] => [
	'The rules of a zone. A missing section stays as it is; [] deletes all its rules.',
	`Compare: ledge rules diff FILE --zone ${name}`,
	`Apply:   ledge rules apply FILE --zone ${name} --confirm ${name}`,
];

const toSummary = (zone: ChosenZone, {leftOut, ruleCount, data}: ZoneExport) => ({
	zone: {id: zone.id, name: zone.name},
	rules: ruleCount,
	sections: ruleSections.flatMap(({key}) => (data[key] ? [{section: key, rules: data[key].length}] : [])),
	leftOut,
});

type Destination = {readonly path: string; readonly format: RulesFileFormat; readonly overwrite: boolean};

/** Writes the file of a zone; keeps the comments of an existing YAML file of the same zone. */
function writeZoneFile(
	context: CommandContext,
	zone: ChosenZone,
	zoneExport: ZoneExport,
	{path, format, overwrite}: Destination,
) {
	const previousText = format === 'yaml' ? readPreviousText(context, zone, path) : undefined;
	const text = formatRulesFile(zoneExport.data, {format, header: buildHeader(zone), previousText});
	writeOutputFile(path, text, overwrite);
	return {...toSummary(zone, zoneExport), format, bytes: Buffer.byteLength(text)};
}

/** Returns the text of an existing rules file of the zone; else says that its comments are lost. */
function readPreviousText({output}: CommandContext, zone: ChosenZone, path: string): string | undefined {
	if (!existsSync(path)) return undefined;
	try {
		const text = readFileSync(path, 'utf8');
		const {data} = parseRulesFile(text, {name: path, format: 'yaml', allowUnknown: true});
		if (data.zone === zone.name) return text;
		output.warn(`${path} held the rules of ${data.zone ?? 'an unnamed zone'}: its comments are not kept.`);
	} catch (error) {
		output.warn(`${path} was not a valid rules file: its comments are not kept. ${toFailure(error).message}`);
	}
	return undefined;
}
