import {
	type ManagedConfiguration,
	parseConfigurationJson,
} from '../../../source/migration/configuration/configuration.ts';
import {applyEdit, type ConfigurationEdit} from '../../../source/migration/configuration/edits.ts';
import {planMigration} from '../../../source/migration/plan/plan.ts';
import type {Snapshot} from '../../../source/migration/zone/snapshot.ts';
import {snapshotOf} from './previous-zone.ts';

export const proposalOf = ({proposed}: Snapshot): ManagedConfiguration =>
	parseConfigurationJson(proposed, 'The proposal');

export const planOf = (parts: Partial<Snapshot>, ...edits: readonly ConfigurationEdit[]) => {
	const snapshot = snapshotOf(parts);
	return planMigration(snapshot, edits.reduce(applyEdit, proposalOf(snapshot)));
};

/** The rows of a section, each as a line. */
export const formatSectionRows = ({sections}: ReturnType<typeof planMigration>, title: string) =>
	(sections.find(section => section.title === title)?.rows ?? []).map(
		({what, now, after, mark}) => `${mark ? `[${mark}] ` : ''}${what}: ${now} → ${after}`,
	);
