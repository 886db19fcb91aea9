import type {Slice} from '../../store/slice.ts';
import {createMigrationDriving, type MigrationDriving} from './driving.ts';
import {createMigrationEditing, type MigrationEditing} from './editing.ts';
import {createMigrationOpening, type MigrationOpening} from './opening.ts';
import {createMigrationReviewing, type MigrationReviewing} from './reviewing.ts';
import {createMigrationSending, type MigrationSending} from './sending.ts';
import {createMigrationWalking, type MigrationWalking} from './walking.ts';

export type MigrationSlice = MigrationOpening &
	MigrationWalking &
	MigrationDriving &
	MigrationReviewing &
	MigrationEditing &
	MigrationSending;

/** The migration of a zone, step by step (design.md 5 and 6). Drives the flow, and holds no rule of the platform. */
export const createMigrationSlice: Slice<MigrationSlice> = (...given) => {
	const {context, opening} = createMigrationOpening(...given);
	return {
		...opening,
		...createMigrationWalking(context),
		...createMigrationDriving(context),
		...createMigrationReviewing(context),
		...createMigrationEditing(context),
		...createMigrationSending(context),
	};
};
