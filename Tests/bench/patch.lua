-- wrk: one PATCH after the other, each of another task, with another priority and title.
-- Arguments: the token, the first task's id, how many tasks there are.
local thread = 0

function setup(t)
  t:set("number", thread)
  thread = thread + 1
end

function init(args)
  token, first, count = args[1], tonumber(args[2]), tonumber(args[3])
  sent = number * math.floor(count / 2)
  headers = { ["Authorization"] = "Bearer " .. token, ["Content-Type"] = "application/json" }
end

function request()
  sent = sent + 1
  -- A prime step, so that neighbours in time are not neighbours in the file.
  local id = first + (sent * 37) % count
  local body = string.format('{"title":"Changed for the %dth time","priority":%d}', sent, sent % 5)
  return wrk.format("PATCH", "/api/tasks/" .. id, headers, body)
end
