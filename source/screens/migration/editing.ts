import {toFailure} from '../../failure.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {
	buildConfigurationBody,
	type ManagedConfiguration,
	parseConfiguration,
} from '../../migration/configuration/configuration.ts';
import {compareConfigurations} from '../../migration/configuration/difference.ts';
import {collectManagedRuleNames, describeEdit} from '../../migration/configuration/difference-words.ts';
import type {ConfigurationEdit} from '../../migration/configuration/edits.ts';
import {managedRulesets} from '../../migration/configuration/mapping.ts';
import {mergeRules} from '../../migration/configuration/merge-rules.ts';
import {rebaseEdits} from '../../migration/configuration/rebase.ts';
import {parsePreviousRules} from '../../migration/zone/previous-rules.ts';
import {openEditorFolder} from '../../state/editor-folders.ts';
import {formatQuantity} from '../../text/figures.ts';
import {isSameConfiguration, withEdit} from '../managed-edit/apply-edit.ts';
import {followEditRow} from '../managed-edit/edit-rows.ts';
import type {ManagedEditor} from '../managed-edit/editor.ts';
import type {MigrationController, NamedZone} from './controller.ts';
import {buildEditorNote, type EditFields} from './form.ts';
import {assessConfiguration} from './read-zone.ts';
import {isJournalOpen, type MigrationState, moveToStep, noRowsSeen} from './state.ts';

/** Shows a changed configuration and drops its review. An undo in the review stays there. */
function showConfiguration(
	{get, change, dropReview}: MigrationController,
	migration: MigrationState,
	configuration: ManagedConfiguration,
	edits: MigrationState['edits'],
	{
		step = 'edit',
		unfinished = migration.unfinished,
	}: Partial<Pick<MigrationState, 'step' | 'unfinished'>> = {},
): void {
	const {id, cursor, top} = migration;
	get().messages.leave();
	change(id, {
		...moveToStep(step),
		...(step === 'edit' && {
			cursor: migration.configuration
				? followEditRow(migration.configuration, configuration, cursor)
				: cursor,
			top,
		}),
		furthestTops: noRowsSeen,
		configuration,
		edits,
		unfinished,
		rehearsal: undefined,
		failure: undefined,
		...assessConfiguration(migration, configuration),
	});
	dropReview();
}

/** Returns the migration if its configuration can be edited. */
function getEditableMigration({
	get,
}: MigrationController): (MigrationState & {readonly configuration: ManagedConfiguration}) | undefined {
	const migration = get().migration.data;
	if (migration?.phase.name !== 'asking' || !isJournalOpen(migration)) return undefined;
	const {configuration} = migration;
	return configuration && {...migration, configuration};
}

export function applyMigrationEdit(controller: MigrationController, edit: ConfigurationEdit) {
	const {get} = controller;
	const migration = getEditableMigration(controller);
	if (!migration) return;
	const {configuration: oldConfiguration, snapshot, initialConfiguration} = migration;
	try {
		const newConfiguration = withEdit(
			{
				configuration: oldConfiguration,
				catalogue: snapshot?.catalogue,
				initialConfiguration,
			},
			edit,
		);
		if (!newConfiguration) return get().messages.say('No change.');
		showConfiguration(controller, migration, newConfiguration, [
			...migration.edits,
			{edit, before: oldConfiguration},
		]);
		get().messages.say(`Unsent change: ${describeEdit(edit, oldConfiguration, snapshot?.catalogue)}`);
	} catch (error) {
		get().messages.fail(toFailure(error));
	}
}

/** Undoes the last edit; without edits, resets the configuration to the proposal. */
export function undoMigrationEdit(controller: MigrationController) {
	const {get} = controller;
	const migration = getEditableMigration(controller);
	if (!migration) return;
	const {edits, initialConfiguration, record} = migration;
	const lastEdit = edits.at(-1);
	if (lastEdit) {
		showConfiguration(controller, migration, lastEdit.before, edits.slice(0, -1), migration);
		const description =
			lastEdit.edit === 'by hand'
				? 'changes from the editor'
				: describeEdit(lastEdit.edit, lastEdit.before, migration.snapshot?.catalogue);
		return get().messages.say(`Undone: ${description}`);
	}
	if (!initialConfiguration || !isEdited(migration)) return get().messages.say('Nothing to undo.');
	showConfiguration(controller, migration, initialConfiguration, [], migration);
	get().messages.say(
		record.seen?.stage === 'validation'
			? 'Reset to the active configuration.'
			: "Reset to the service's proposal.",
	);
}

/** Discards all edits; shows the configuration that was reviewed or proposed before them. */
export function discardMigrationEdits(controller: MigrationController) {
	const {get} = controller;
	const migration = getEditableMigration(controller);
	if (!migration) return;
	const {edits, configuration} = migration;
	showConfiguration(
		controller,
		{...migration, unfinished: undefined},
		edits[0]?.before ?? configuration,
		[],
		{
			step: migration.step === 'edit' ? 'edit' : 'review',
		},
	);
	controller.change(migration.id, {unparsedText: undefined});
	get().messages.say(`Discarded ${formatQuantity(edits.length, 'edit')}. Nothing was sent.`);
}

/** Drops the review of a zone that was not sent; an open migration shows the proposal again. */
export async function discardMigrationReview(
	controller: MigrationController,
	zone: NamedZone,
): Promise<void> {
	const {get} = controller;
	const openZone = get().migration.data?.zone;
	await get().work.run(`discarding the review of ${zone.name}`, 'read', async () => {
		if (openZone?.id !== zone.id) await controller.dropStoredReview(zone);
		else {
			const migration = getEditableMigration(controller);
			if (migration?.initialConfiguration)
				showConfiguration(controller, migration, migration.initialConfiguration, [], {step: 'review'});
			else controller.dropReview();
			await controller.waitForReviewDrops();
		}
		get().zones.forgetOverview(zone.id);
		get().jobs.refreshMigrations();
		get().messages.say(`Discarded the review of ${zone.name}. Nothing was sent.`);
	});
}

/**
 * Applies the edits of a draft to the current configuration. Returns the edits that no longer apply, as
 * sentences.
 */
export function resumeEdits(
	controller: MigrationController,
	{start, proposal, edits, configuration, unfinished, unparsedText}: EditFields,
): readonly string[] {
	const migration = getEditableMigration(controller);
	if (!migration) return [];
	const currentConfiguration = migration.edits[0]?.before ?? migration.configuration;
	// The edits may be based on a review, whose changes must stay, too.
	const mergedRules = mergeRules(proposal.rules, start.rules, currentConfiguration.rules);
	const rebased = rebaseKeepingText(
		{edits, configuration, unparsedText},
		mergedRules ? {...currentConfiguration, rules: mergedRules} : currentConfiguration,
	);
	showConfiguration(controller, {...migration, cursor: 0, top: 0}, rebased.configuration, rebased.edits, {
		unfinished,
	});
	const changesByOthers = compareConfigurations(
		proposal,
		migration.initialConfiguration ?? currentConfiguration,
		{ruleNames: collectManagedRuleNames(migration.snapshot?.catalogue)},
	);
	controller.change(migration.id, {unparsedText: rebased.unparsedText, changesByOthers});
	return [...(mergedRules ? [] : [lostReviewSentence]), ...rebased.lostEdits];
}

const lostReviewSentence = 'The reviewed changes.';

/** Reapplies edits. If a change that was made in the editor no longer applies, keeps the whole text. */
function rebaseKeepingText(
	{edits, configuration, unparsedText}: Pick<EditFields, 'edits' | 'configuration' | 'unparsedText'>,
	current: ManagedConfiguration,
) {
	const rebased = rebaseEdits(edits, current, configuration);
	const isManualEdit = ({edit}: MigrationState['edits'][number]) => edit === 'by hand';
	const isManualEditLost =
		rebased.lostEdits.length > 0 && edits.some(isManualEdit) && !rebased.edits.some(isManualEdit);
	const text = `${JSON.stringify(buildConfigurationBody(configuration), undefined, '  ')}\n`;
	return {...rebased, unparsedText: unparsedText ?? (isManualEditLost ? {text} : undefined)};
}

/** The editor or review after the zone was read again, and the edits that no longer apply, as sentences. */
export type CarriedEdits = {
	readonly migrationPart: Partial<MigrationState>;
	readonly lostEdits: readonly string[];
};

/** Applies the edits to the zone as it was read again. Undefined if it has no configuration to edit. */
export function carryEdits(
	migration: MigrationState,
	result: Pick<
		MigrationState,
		'snapshot' | 'deletedOverrides' | 'initialConfiguration' | 'configuration' | 'changesByOthers'
	>,
): CarriedEdits | undefined {
	const {step, cursor, edits, configuration: oldConfiguration, unfinished, unparsedText} = migration;
	const {initialConfiguration: current, snapshot} = result;
	if (!oldConfiguration || !current || !result.configuration) return undefined;
	const previous = migration.initialConfiguration ?? current;
	const changesByOthers =
		result.changesByOthers ??
		compareConfigurations(previous, current, {ruleNames: collectManagedRuleNames(snapshot?.catalogue)});
	// The edits may be based on a review, whose changes must stay, too.
	const base = edits[0]?.before;
	const mergedRules = base && mergeRules(previous.rules, base.rules, current.rules);
	const rebased = base
		? rebaseKeepingText(
				{edits, configuration: oldConfiguration, unparsedText},
				mergedRules ? {...current, rules: mergedRules} : current,
			)
		: {edits, configuration: result.configuration, unparsedText, lostEdits: []};
	const {configuration} = rebased;
	return {
		lostEdits: [...(base && !mergedRules ? [lostReviewSentence] : []), ...rebased.lostEdits],
		migrationPart: {
			...moveToStep(step),
			cursor: step === 'edit' ? followEditRow(oldConfiguration, configuration, cursor) : 0,
			edits: rebased.edits,
			configuration,
			unparsedText: rebased.unparsedText,
			unfinished,
			changesByOthers,
			...assessConfiguration({...result, zone: migration.zone}, configuration),
		},
	};
}

/** Adapts the migration to the shared editor. Undefined if no configuration was read. */
export function buildMigrationEditor({get}: MigrationController): ManagedEditor | undefined {
	const migration = get().migration.data;
	if (!migration?.configuration) return undefined;
	const {configuration, initialConfiguration, snapshot, zone, cursor, unfinished} = migration;
	return {
		configuration,
		initialConfiguration,
		catalogue: snapshot?.catalogue,
		plan: zone.plan,
		cursor,
		unfinished,
		listPreviousRules: ruleset =>
			snapshot && ruleset === managedRulesets.platform.id
				? parsePreviousRules(snapshot)
						.packages.filter(({kind}) => kind !== 'owasp')
						.flatMap(({rules}) => rules.map(({id, description}) => ({id, name: description})))
				: [],
		apply: edit => get().migration.applyEdit(edit),
		move: distance => get().migration.move(distance),
		forgetUnfinished: () => get().migration.forgetUnfinished(),
	};
}

export type HandOver = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Opens the raw configuration in the user's editor. Keeps text that could not be parsed, so that it can be
 * corrected.
 */
export async function editExternally(controller: MigrationController, handOver: HandOver): Promise<void> {
	const {get} = controller;
	const savedText = get().migration.data?.unparsedText;
	if (!getEditableMigration(controller) || !savedText) return openInEditor(controller, handOver);
	get().dialog.open({
		kind: 'choice',
		title: 'Which text do you want to edit?',
		lines: ['The last saved text could not be used.'],
		choices: [
			{value: 'left', label: 'The last saved text, to fix it'},
			{value: 'now', label: 'The current configuration'},
			{value: 'discard', label: 'Neither: discard the last saved text'},
		],
		choose(value) {
			const migration = getEditableMigration(controller);
			if (value !== 'discard')
				return void openInEditor(controller, handOver, value === 'left' ? savedText : undefined);
			if (migration?.unparsedText === savedText) controller.change(migration.id, {unparsedText: undefined});
			get().messages.say('Discarded the text saved in the editor.');
		},
	});
}

async function openInEditor(
	controller: MigrationController,
	handOver: HandOver,
	savedText?: MigrationState['unparsedText'],
): Promise<void> {
	const {get, change, getOpenMigration, ports} = controller;
	const {id, configuration: oldConfiguration} = getEditableMigration(controller) ?? {};
	if (id === undefined || !oldConfiguration) return;
	const text =
		savedText?.text ?? `${JSON.stringify(buildConfigurationBody(oldConfiguration), undefined, '  ')}\n`;
	// A saved text is overwritten only by text that was made from it.
	const file =
		savedText?.file ?? `edited-${new Date(ports.now()).toISOString().slice(0, 19).replaceAll(':', '')}Z.json`;
	const saveAndDescribe = (savedBytes: Uint8Array): string | undefined => {
		const unparsedText = {text: Buffer.from(savedBytes).toString(), file};
		change(id, {unparsedText});
		const path = getOpenMigration()?.flow.journal.saveText(file, unparsedText.text);
		return path && `Saved in ${path}; press ${nameKey('migration.editor', 'E')} to keep editing it.`;
	};
	await get().work.run('editing in $EDITOR', 'read', async signal => {
		const {editBytes} = await import('../../terminal/editor.ts');
		const note = buildEditorNote(get(), ports.session, text);
		const folder = note && openEditorFolder(ports.session.env, note, ports.now()).folder;
		const savedBytes = await handOver(() =>
			editBytes(Buffer.from(text), ports.session.env, {folder, signal, keepSaved: saveAndDescribe}),
		);
		let newConfiguration: ManagedConfiguration;
		try {
			newConfiguration = parseConfiguration(
				Buffer.from(savedBytes).toString(),
				'The text saved in the editor',
			);
		} catch (error) {
			throw toFailure(error).withDetails({left: saveAndDescribe(savedBytes)});
		}
		if (get().migration.data?.unparsedText === savedText) change(id, {unparsedText: undefined});
		const migration = get().migration.data;
		if (migration?.id !== id) return;
		if (isSameConfiguration(oldConfiguration, newConfiguration))
			return get().messages.say('No changes made in the editor.');
		const edits = [...migration.edits, {edit: 'by hand' as const, before: oldConfiguration}];
		showConfiguration(controller, {...migration, cursor: 0}, newConfiguration, edits);
	});
}

/** True if the configuration differs from the proposal, or in validation from the active rules. */
export const isEdited = ({configuration, initialConfiguration, edits}: MigrationState): boolean =>
	edits.length > 0 ||
	(configuration !== undefined &&
		initialConfiguration !== undefined &&
		!isSameConfiguration(configuration, initialConfiguration));
