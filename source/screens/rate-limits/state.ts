import {createListReader} from '../list/screen.ts';
import {declareRuleList} from '../rulesets/rule-list.ts';
import {rateLimitType} from '../rulesets/rule-type.ts';

/** The rate limits of a zone. */
export const rateLimitList = declareRuleList(rateLimitType, 'Rate limits', 'limits');

/** Reads the rate limits of the open zone. */
export const readRateLimits = createListReader(rateLimitList, 'rate limits');
