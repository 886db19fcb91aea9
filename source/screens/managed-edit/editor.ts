import type {ManagedConfiguration} from '../../migration/configuration/configuration.ts';
import type {ConfigurationEdit} from '../../migration/configuration/edits.ts';
import {formatRulesetName} from '../../migration/configuration/mapping.ts';
import type {ManagedContents} from '../../migration/zone/managed-contents.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {getCurrentScreen} from '../shell/screen-name.ts';
import type {UnfinishedException} from './unfinished-exception.ts';

/** A managed rule and its name; the name is empty if unknown. */
export type KnownRule = {readonly id: string; readonly name: string};

/** The editor of managed rules on the screen in front. */
export type ManagedEditor = {
	readonly configuration: ManagedConfiguration;
	/** The initial configuration; its ids are accepted even if `catalogue` lacks them. */
	readonly initialConfiguration: ManagedConfiguration | undefined;
	/** The managed rulesets of the zone; undefined if they could not be read. */
	readonly catalogue: readonly ManagedContents[] | undefined;
	/** The plan of the zone. */
	readonly plan: MigrationZone['plan'];
	/** Index in the rows of the editor. */
	readonly cursor: number;
	/** An exception restored from a draft and not continued yet. */
	readonly unfinished: UnfinishedException | undefined;
	/** Returns rules of a managed ruleset that `catalogue` lacks, with names from another source. */
	listPreviousRules(rulesetId: string): readonly KnownRule[];
	apply(edit: ConfigurationEdit): void;
	move(distance: number): void;
	/** Drops the unfinished exception after it is resumed or discarded. */
	forgetUnfinished(): void;
};

/** The screens that have an editor, and which of them is in front. */
export type EditorState = StateWith<'managed' | 'migration', 'getEditor'> & StateWith<'navigation', 'stack'>;

/** Returns the editor of the screen in front. */
export const getManagedEditor = (state: EditorState): ManagedEditor | undefined =>
	getCurrentScreen(state) === 'managed' ? state.managed.getEditor() : state.migration.getEditor();

/** Returns the name of a managed ruleset, or its id if unknown. Raw text. */
export function getRulesetName(editor: Pick<ManagedEditor, 'catalogue'> | undefined, id: string): string {
	const name = formatRulesetName(id);
	return name === id ? (editor?.catalogue?.find(one => one.id === id)?.name ?? id) : name;
}
