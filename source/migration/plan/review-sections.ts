import type {Snapshot} from '../zone/snapshot.ts';
import {type MigrationPlan, type PlanSection, planProposal} from './plan.ts';
import type {PlanRow} from './row.ts';

/** The sections of a plan, divided for a review. A section may have no rows. */
export type ReviewSections = {
	/** Rows to read: they need a check, or are not what the service proposes. */
	readonly notable: readonly PlanSection[];
	/** Rows that need no check and are exactly what the service proposes. */
	readonly proposed: readonly PlanSection[];
};

const reviewSectionsCache = new WeakMap<MigrationPlan, ReviewSections>();

/** Divides the sections of a plan of this snapshot. Cached by plan, because every frame needs it. */
export function getReviewSections(plan: MigrationPlan, snapshot: Snapshot | undefined): ReviewSections {
	const cachedSections = reviewSectionsCache.get(plan);
	if (cachedSections) return cachedSections;
	const sections = divideSections(plan.sections, (snapshot && planProposal(snapshot)) ?? []);
	reviewSectionsCache.set(plan, sections);
	return sections;
}

export const countProposedSettings = ({proposed}: ReviewSections): number =>
	proposed.reduce((sum, {rows}) => sum + rows.length, 0);

function divideSections(
	sections: readonly PlanSection[],
	proposedSections: readonly PlanSection[],
): ReviewSections {
	const dividedSections = sections.map(({title, rows}) => {
		const proposedKeys = (proposedSections.find(one => one.title === title)?.rows ?? []).map(getRowKey);
		const isProposed = (row: PlanRow): boolean => {
			if (needsCheck(row)) return false;
			const index = proposedKeys.indexOf(getRowKey(row));
			// Each proposed row counts once.
			if (index !== -1) proposedKeys.splice(index, 1);
			return index !== -1;
		};
		const proposedRows = new Set(rows.filter(isProposed));
		return {
			notable: {title, rows: rows.filter(row => !proposedRows.has(row))},
			proposed: {title, rows: [...proposedRows]},
		};
	});
	return {
		notable: dividedSections.map(({notable}) => notable),
		proposed: dividedSections.map(({proposed}) => proposed),
	};
}

const needsCheck = ({mark}: PlanRow): boolean => mark !== undefined && mark !== 'same';

const getRowKey = ({what, now, after, mark}: PlanRow): string => JSON.stringify([what, now, after, mark]);
