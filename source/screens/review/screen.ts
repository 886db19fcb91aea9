import {isLocalPlace} from '../../state/job-record.ts';
import type {ScreenDefinition} from '../shell/screen.ts';
import {leaveReview} from './actions.ts';

export const reviewScreen: ScreenDefinition = {
	group: 'Review',
	buildPath(before, {review: {data: review}}) {
		if (!review) return before.slice(0, 1);
		const {label, key, proposal} = review;
		const what = proposal.origin === 'undo' || proposal.origin === 'delete' ? proposal.origin : 'review';
		return ['ledge', label, key, what];
	},
	// The namespace of an undo may differ from the open one.
	getTarget: (before, {review: {data: review}}) =>
		review ? {...before, isLocal: isLocalPlace(review.target.place)} : before,
	reload: app => void app.state().review.decide({kind: 'check again', label: ''}),
	handleEscape: leaveReview,
};
