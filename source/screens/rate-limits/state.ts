import {declareRuleList} from '../rulesets/rule-list.ts';
import {rateLimitType} from '../rulesets/rule-type.ts';

/** The rate limits of a zone. */
export const rateLimitList = declareRuleList(rateLimitType, 'Rate limits', 'limits');
