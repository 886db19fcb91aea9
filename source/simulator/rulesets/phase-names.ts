/** The names of the phases that have sample rules, or are named in code. */
export const customPhase = 'http_request_firewall_custom';
export const managedPhase = 'http_request_firewall_managed';
export const rateLimitPhase = 'http_ratelimit';
